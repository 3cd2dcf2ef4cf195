// What uploads and large answers take in Turnpike's memory: the most that was resident while they ran, above what it was before,
// as Linux counts it. What is uploaded waits on disk, so it is not in proportion to the number of calls.
import { readFileSync, writeFileSync } from "node:fs";
import { spokenQuestion, squareImage, transcriptionForm } from "./operation-requests.ts";

export type MemoryFigures = {
  readonly title: string;
  readonly aboveIdleMb: number;
  /** By their status. */
  readonly answers: Readonly<Record<string, number>>;
};

type Place = { readonly url: string; readonly pid: number; readonly keys: readonly string[] };
type Send = (key: string) => Promise<Response>;

const megabyte = 1_000_000;
const uploadBytes = 25 * megabyte;

/** One after another. */
export async function* measureMemory(place: Place): AsyncGenerator<MemoryFigures> {
  const post = (path: string, type: string, body: Uint8Array<ArrayBuffer>): Send => {
    return (key) =>
      fetch(`${place.url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": type },
        body,
      });
  };
  const upload = (bytes: number, file?: Uint8Array) => {
    const form = transcriptionForm(bytes, file);
    return post("/v1/audio/transcriptions", form.type, new Uint8Array(form.bytes));
  };
  const ask = (path: string, body: object) =>
    post(path, "application/json", new TextEncoder().encode(JSON.stringify(body)));
  const sound = upload(uploadBytes);
  const noise = upload(0, Buffer.alloc(uploadBytes, 0x41));
  const speech = ask("/v1/audio/speech", { model: "bench/speech-large", ...spokenQuestion });
  const image = ask("/v1/images/generations", { model: "bench/image-large", ...squareImage });
  // Loads what is loaded once: the threads that measure audio, and compiled code.
  for (const send of [upload(96_044), upload(96_044), noise, sound]) await run(place, send, 1);
  const rows: readonly (readonly [title: string, send: Send, count: number])[] = [
    ["1 transcription of 25 MB", sound, 1],
    ["100 of them at once", sound, 100],
    ["200 uploads of 25 MB that are no audio, at once", noise, 200],
    ["1 answer of 25 MB of speech", speech, 1],
    ["20 of them at once", speech, 20],
    ["1 answer with an image of 25 MB", image, 1],
    ["20 of them at once", image, 20],
  ];
  for (const [title, send, count] of rows) {
    await settle(place.pid);
    const idle = readMb(place.pid, "VmRSS");
    resetPeak(place.pid);
    const answers = await run(place, send, count);
    yield { title, aboveIdleMb: readMb(place.pid, "VmHWM") - idle, answers };
  }
}

async function run({ keys }: Place, send: Send, count: number): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  const one = async (key: string) => {
    const status = await readStatus(send(key)).catch(() => "cut");
    answers[status] = (answers[status] ?? 0) + 1;
  };
  await Promise.all(
    Array.from({ length: count }, (_, index) => one(keys[index % keys.length] ?? "")),
  );
  return answers;
}

/** Of an answer that was read to its end. */
async function readStatus(answer: Promise<Response>): Promise<string> {
  const { status, body } = await answer;
  for await (const _ of body ?? []);
  return String(status);
}

/** Collects garbage, twice, because what ends a call may still be running. */
async function settle(pid: number): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    process.kill(pid, "SIGUSR2");
    await Bun.sleep(2_000);
  }
}

function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

function readMb(pid: number, name: "VmRSS" | "VmHWM"): number {
  const line = readFileSync(`/proc/${pid}/status`, "utf8")
    .split("\n")
    .find((each) => each.startsWith(`${name}:`));
  return (Number(line?.split(/\s+/)[1]) * 1_024) / megabyte;
}
