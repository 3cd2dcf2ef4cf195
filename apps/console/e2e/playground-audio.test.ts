// Audio in the playground, with the browser's own fake microphone: speech is played, and what is recorded leaves the page only
// when someone presses the button.
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { wavFile } from "@turnpike/testing";
import type { Page } from "playwright-core";
import { type MemberTest, memberTest } from "./browser-test.fixture.ts";
import { nanosOf } from "./expected-cost.fixture.ts";

const funded = { usd: "10" };
const hearing = `/playground/audio?model=${encodeURIComponent("sandbox/transcription")}`;
const talk = { name: "talk.wav", mimeType: "audio/wav", buffer: wavFile({ seconds: 2 }) };

/** Uploads of the page so far. */
function watchUploads({ page }: MemberTest): string[] {
  const seen: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/playground/trans")) seen.push(request.url());
  });
  return seen;
}

async function costInLog(page: Page): Promise<bigint> {
  await page.getByRole("link", { name: "View log" }).click();
  const charged = page.getByRole("dialog", { name: "Request" }).locator("[data-charged]");
  await charged.waitFor();
  return nanosOf((await charged.textContent()) ?? "");
}

async function costShown(page: Page): Promise<bigint> {
  const shown = page.locator("[data-cost]");
  await shown.waitFor();
  return nanosOf((await shown.getAttribute("data-cost")) ?? "");
}

memberTest(
  "speech can be played and saved, and costs what its log says",
  async ({ page, goTo }) => {
    await goTo(`/playground/audio?model=${encodeURIComponent("sandbox/speech")}`);
    await page.getByLabel("Text").fill("Hello, this is spoken.");
    await page.getByLabel("Format").selectOption("wav");
    await page.getByText(/^At most/).waitFor();
    await page.getByRole("button", { name: "Speak" }).click();
    const player = page.locator("audio");
    await player.waitFor();
    const length = await player.evaluate(
      (element) =>
        new Promise<number>((resolve) => {
          if (!(element instanceof HTMLAudioElement)) return resolve(0);
          const tell = () => resolve(element.duration);
          if (element.readyState > 0) tell();
          else element.addEventListener("loadedmetadata", tell);
        }),
    );
    expect(length).toBeGreaterThan(0);
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download speech.wav" }).click();
    const saved = await saving;
    expect(readFileSync(await saved.path()).toString("latin1", 0, 4)).toBe("RIFF");
    const cost = await costShown(page);
    expect(cost).toBeGreaterThan(0n);
    expect(await costInLog(page)).toBe(cost);
  },
  funded,
);

memberTest(
  "what is recorded stays in the page until it is sent, and is then written down",
  async (one) => {
    const { page, goTo, context } = one;
    await context.grantPermissions(["microphone"]);
    const uploads = watchUploads(one);
    await goTo(hearing);
    await page.getByRole("button", { name: "Record" }).click();
    const level = page.getByRole("meter", { name: "Input level" });
    await level.waitFor();
    // The fake device beeps every second.
    await page.locator('[role="meter"]:not([aria-valuenow="0"])').waitFor();
    await page.getByText(/^(?!0:00)\d+:\d\d$/).waitFor();
    await page.getByRole("button", { name: "Stop recording" }).click();
    await page.getByLabel("Audio to send: recording.webm").waitFor();
    await page.getByText(/^Up to about/).waitFor();
    expect(uploads).toEqual([]);
    await page.getByRole("button", { name: "Transcribe" }).click();
    await page.getByRole("group", { name: "Transcript" }).waitFor();
    expect(uploads).toHaveLength(1);
    expect(await costInLog(page)).toBeGreaterThan(0n);
  },
  funded,
);

memberTest(
  "a file becomes captions, which can be copied and saved",
  async ({ page, goTo }) => {
    await goTo(hearing);
    await page.getByLabel("Choose a file").setInputFiles(talk);
    await page.getByText("talk.wav, 0:02").waitFor();
    await page.getByLabel("Format").selectOption("srt");
    await page.getByText(/^Up to about/).waitFor();
    await page.getByRole("button", { name: "Transcribe" }).click();
    await page.getByRole("group", { name: "Transcript" }).getByText("-->").waitFor();
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    expect((await saving).suggestedFilename()).toBe("transcript.srt");
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("-->");
    // 0.006 USD for a minute.
    expect(await costShown(page)).toBe(200_000n);
  },
  funded,
);

/** The page asks for a microphone and is refused by this name. */
async function refuseMicrophone(page: Page, name: string): Promise<void> {
  await page.addInitScript((reason) => {
    const refuse = () => Promise.reject(new DOMException("refused", reason));
    Object.defineProperty(navigator.mediaDevices, "getUserMedia", {
      value: refuse,
      // A page that is refused in another way afterwards.
      configurable: true,
    });
  }, name);
}

memberTest(
  "a microphone that is blocked or missing is explained, and files remain",
  async (one) => {
    const { page, goTo } = one;
    await refuseMicrophone(page, "NotAllowedError");
    await goTo(hearing);
    await page.getByRole("button", { name: "Record" }).click();
    await page.getByText(/^The microphone is blocked\./).waitFor();
    await page.getByRole("button", { name: "Choose a file" }).waitFor();
    await refuseMicrophone(page, "NotFoundError");
    await page.reload();
    await page.getByRole("button", { name: "Record" }).click();
    await page.getByText(/^No microphone was found\./).waitFor();
  },
);

memberTest(
  "leaving the page gives the microphone back",
  async ({ page, goTo, context, follow }) => {
    await context.grantPermissions(["microphone"]);
    await page.addInitScript(() => {
      const tracks: MediaStreamTrack[] = [];
      Object.assign(window, { tracks });
      const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      const openAndKeep = async (wanted: MediaStreamConstraints) => {
        const stream = await open(wanted);
        tracks.push(...stream.getTracks());
        return stream;
      };
      Object.defineProperty(navigator.mediaDevices, "getUserMedia", { value: openAndKeep });
    });
    await goTo(hearing);
    await page.getByRole("button", { name: "Record" }).click();
    await page.getByRole("meter", { name: "Input level" }).waitFor();
    await follow("/playground/images");
    const states = await page.evaluate(() => {
      const { tracks } = Object(window);
      return tracks.map(({ readyState }: MediaStreamTrack) => readyState);
    });
    expect(states).toEqual(["ended"]);
  },
);
