// Audio in the playground: speech and transcripts say what they cost before and afterwards, and nothing is sent before someone
// presses the button. Recording itself is shown in a browser, by `e2e/audio.test.ts`.
import { afterEach, expect, test } from "bun:test";
import { screen, waitFor } from "@solidjs/testing-library";
import { modelOf } from "../../../test/model.fixture.ts";
import { openMedia } from "./open-media.fixture.tsx";

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

const models = [
  modelOf("acme/voice", {
    name: "Acme Voice",
    operation: "speech",
    media: { kind: "speech", voices: ["alloy", "echo"], maxCharacters: 100 },
  }),
  modelOf("acme/ear", {
    name: "Acme Ear",
    operation: "transcription",
    media: { kind: "transcription", maxSeconds: 600 },
  }),
];
const log = { endedAt: "2026-01-01T00:00:00.000Z", chargedUsd: "0.00009" };
const open = (
  address: string,
  parameters: readonly string[],
  answers: Parameters<typeof openMedia>[2],
) =>
  openMedia(
    address,
    { models, parameters, api: { "logs.detail": () => ({ data: log }) } },
    answers,
  );

const estimate = () => Response.json({ max_cost_usd: "0.0001" });
const audio = () =>
  new Response("ID3", { headers: { "content-type": "audio/mpeg", "x-generation-id": "gen-1" } });

test("speech says the most it costs before, can be played, and says what it cost", async () => {
  const { user, sent } = open("/playground/audio", ["instructions"], { estimate, speech: audio });
  await user.type(await screen.findByLabelText("Text"), "Hello!");
  screen.getByText("6 of 100 characters");
  await user.selectOptions(screen.getByLabelText("Voice"), "echo");
  await user.selectOptions(screen.getByLabelText("Speed"), "1.5");
  await user.type(await screen.findByLabelText(/^Instructions/), "calmly");
  await screen.findByText("$0.0001");
  await user.click(screen.getByRole("button", { name: "Speak" }));
  const player = await screen.findByLabelText("Speech", { selector: "audio" });
  expect(player.getAttribute("src")).toStartWith("blob:");
  await screen.findByText("$0.00009");
  screen.getByRole("button", { name: "Download speech.mp3" });
  expect(sent.at(-1)).toEqual({
    path: "speech",
    body: {
      model: "acme/voice",
      input: "Hello!",
      response_format: "mp3",
      voice: "echo",
      speed: 1.5,
      instructions: "calmly",
    },
  });
});

test("a file is written down when the button is pressed, not when it is chosen", async () => {
  const transcriptions = () => Response.json({ text: "Two seconds.", usage: { cost: 0.0002 } });
  const parameters = ["timestamp_granularities"];
  const { user, sent } = open("/playground/audio?model=acme/ear", parameters, { transcriptions });
  const send = await screen.findByRole<HTMLButtonElement>("button", { name: "Transcribe" });
  expect(send.disabled).toBe(true);
  const file = new File(["RIFF"], "talk.wav", { type: "audio/wav" });
  await user.upload(screen.getByLabelText("Choose a file"), file);
  const player = await waitFor(() => {
    const [one] = document.getElementsByTagName("audio");
    if (one === undefined) throw new Error("there is no player yet");
    return one;
  });
  expect(player.getAttribute("aria-label")).toBe("Audio to send: talk.wav");
  expect(sent).toEqual([]);
  await user.click(send);
  await screen.findByText("Two seconds.");
  screen.getByText("$0.0002");
  const { body } = sent.at(-1) ?? {};
  const form = body instanceof FormData ? body : new FormData();
  expect([form.get("model"), form.get("response_format")]).toEqual(["acme/ear", "json"]);
});

test("captions are offered only by models whose providers know times", async () => {
  open("/playground/audio?tab=transcription", [], {});
  await screen.findByLabelText("Model");
  expect(screen.queryByLabelText("Format")).toBeNull();
});

test("a file that is no audio is named, and cannot be sent", async () => {
  const { user } = open("/playground/audio?tab=transcription", [], {});
  const field = await screen.findByLabelText<HTMLInputElement>("Choose a file");
  field.accept = "";
  await user.upload(field, new File(["text"], "notes.txt", { type: "text/plain" }));
  await screen.findByText("notes.txt is not an audio file.");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Transcribe" }).disabled).toBe(true);
});

test("a page without a microphone says so, and files remain", async () => {
  const { user } = open("/playground/audio?tab=transcription", [], {});
  await user.click(await screen.findByRole("button", { name: "Record" }));
  await screen.findByText(/Choose a file instead|choose a file/);
  screen.getByRole("button", { name: "Choose a file" });
});
