import { afterAll, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Fault } from "@turnpike/base";
import { adtsFile, mp3File, wavFile } from "@turnpike/testing";
import { audioFormats } from "../content/media-format.ts";
import { m4a, webm } from "./container-files.fixture.ts";
import { type AudioFile, openAudioMeter } from "./open-audio-meter.ts";

const request = { param: "file", formats: audioFormats };
/** Long enough for a busy machine. */
const patient = openAudioMeter({ computingMaxMs: 120_000, waitMaxMs: 120_000 });
/** Of formats whose bytes say nothing. */
const refused = { code: "invalid_audio", details: { param: "file" } };
const endless = new URL("./endless-thread.fixture.ts", import.meta.url);
afterAll(() => patient.close());

function inMemory(bytes: Buffer): AudioFile {
  const middle = Math.floor(bytes.length / 2);
  const chunks = [bytes.subarray(0, middle), bytes.subarray(middle)];
  return { size: bytes.length, head: bytes.subarray(0, 65_536), place: { kind: "memory", chunks } };
}

test("durations are whole milliseconds, and files of all formats are measured at once", async () => {
  const files = [
    mp3File(500),
    m4a({ packets: 300 }),
    wavFile({ seconds: 2 }),
    webm({ packets: 100 }),
  ];
  const measures = await Promise.all(
    files.map((bytes) => patient.measure(inMemory(bytes), request)),
  );
  expect(measures).toEqual([
    { format: "mp3", isMeasured: true, durationMs: 18_000, holdMs: 18_000 },
    { format: "m4a", isMeasured: true, durationMs: 19_200, holdMs: 19_200 },
    { format: "wav", isMeasured: true, durationMs: 2_000, holdMs: 2_000 },
    { format: "webm", isMeasured: true, durationMs: 2_000, holdMs: 2_000 },
  ]);
});

test("what is in memory is still there after it was measured", async () => {
  const bytes = mp3File(100);
  const before = Buffer.from(bytes);
  await patient.measure(inMemory(bytes), request);
  expect(bytes.equals(before)).toBe(true);
});

test("a temporary file without a name is measured by its descriptor, which stays open", async () => {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-media-"));
  const path = join(folder, "upload");
  const bytes = wavFile({ seconds: 3 });
  writeFileSync(path, bytes);
  const descriptor = openSync(path, "r");
  rmSync(folder, { recursive: true });
  const file = {
    size: bytes.length,
    head: bytes.subarray(0, 4_096),
    place: { kind: "file", descriptor },
  } as const;
  expect((await patient.measure(file, request)).durationMs).toBe(3_000);
  closeSync(descriptor);
});

test("a WAV that hangs libraries is measured by its bytes, or refused", async () => {
  const header = wavFile({ seconds: 0, statedBytes: 100 });
  const zeros = Buffer.concat([header, Buffer.alloc(25_000_000)]);
  expect((await patient.measure(inMemory(zeros), request)).durationMs).toBe(520_834);
  const chunks = Buffer.concat([header.subarray(0, 36), Buffer.alloc(25_000_000)]);
  const thrown = await patient.measure(inMemory(chunks), request).catch((fault: unknown) => fault);
  expect(thrown).toMatchObject(refused);
});

test("what cannot be read, or is larger than a thread may hold, is held for at 8 kbit/s if it is MP3, and refused otherwise", async () => {
  const compressed = wavFile({ seconds: 1, tag: 0x55 });
  await expect(patient.measure(inMemory(compressed), request)).rejects.toMatchObject(refused);
  const tag = Buffer.from(`ID3\x04\0\0\0\0\x10${"\0".repeat(11)}`, "latin1");
  expect(await patient.measure(inMemory(tag), { ...request, formats: ["mp3"] })).toMatchObject({
    isMeasured: false,
    holdMs: 20,
  });
  const small = openAudioMeter({ fileMaxBytes: 2_199, script: endless });
  await expect(small.measure(inMemory(adtsFile(200)), request)).rejects.toMatchObject(refused);
  const large = mp3File(100);
  expect(await small.measure(inMemory(large), request)).toEqual({
    format: "mp3",
    isMeasured: false,
    durationMs: large.length,
    holdMs: large.length,
  });
  await small.close();
});

test("a thread that does not come back is ended, and its place measures the next file", async () => {
  const options = { threadsMax: 1, computingMaxMs: 500, waitMaxMs: 120_000, script: endless };
  const meter = openAudioMeter(options);
  const file = inMemory(adtsFile(200));
  const first = await meter.measure(file, request);
  const stuck = await meter.measure(file, request).catch((thrown: unknown) => thrown);
  await meter.measure(file, request);
  const mp3 = await meter.measure(inMemory(mp3File(20)), request);
  const next = await meter.measure(file, request);
  expect(mp3).toMatchObject({ isMeasured: false, holdMs: mp3File(20).length });
  expect(first).toEqual({ format: "aac", isMeasured: true, durationMs: 1_000, holdMs: 2_000 });
  expect(stuck).toMatchObject(refused);
  expect(next).toEqual(first);
  await meter.close();
}, 120_000);

test.each([
  ["AAC", adtsFile(1_000)],
  ["MP3", mp3File(100)],
])(
  "%s that the machine has no time to measure is neither refused as wrong nor billed by a bound",
  async (_name, bytes) => {
    const meter = openAudioMeter({ computingMaxMs: 120_000, waitMaxMs: 200, script: endless });
    const thrown = await meter.measure(inMemory(bytes), request).catch((fault: unknown) => fault);
    expect(thrown).toMatchObject({ code: "overloaded", details: { retryAfterMs: 2_000 } });
    await meter.close();
  },
);

test("a thread that dies is replaced", async () => {
  const meter = openAudioMeter({ threadsMax: 1, waitMaxMs: 120_000, script: endless });
  await expect(meter.measure(inMemory(adtsFile(20)), request)).rejects.toMatchObject(refused);
  expect(await meter.measure(inMemory(adtsFile(200)), request)).toMatchObject({ isMeasured: true });
  await meter.close();
});

test("a caller who leaves ends the measuring", async () => {
  const meter = openAudioMeter({ threadsMax: 1, waitMaxMs: 120_000, script: endless });
  const file = inMemory(adtsFile(200));
  await meter.measure(file, request);
  const leaving = new AbortController();
  const place = {
    kind: "memory",
    // Read when the file is sent to the thread, which then never comes back.
    get chunks() {
      queueMicrotask(() => leaving.abort());
      return [adtsFile(200)];
    },
  } as const;
  const left = meter.measure({ ...file, place }, { ...request, signal: leaving.signal });
  const waiting = meter.measure(file, request);
  await expect(left).rejects.toMatchObject({ code: "client_closed_request" });
  expect(await waiting).toMatchObject({ isMeasured: true });
  await meter.close();
});

test("a caller who has left already takes no thread's time", async () => {
  const meter = openAudioMeter({ threadsMax: 1, waitMaxMs: 120_000, script: endless });
  const file = inMemory(adtsFile(200));
  const signal = AbortSignal.abort();
  const left = meter.measure(file, { ...request, signal });
  await expect(left).rejects.toMatchObject({ code: "client_closed_request" });
  expect(await meter.measure(file, request)).toMatchObject({ isMeasured: true });
  await meter.close();
});

test("closing ends what is still measured", async () => {
  const meter = openAudioMeter({ threadsMax: 1, waitMaxMs: 120_000, script: endless });
  const file = inMemory(adtsFile(200));
  await meter.measure(file, request);
  const stuck = meter.measure(file, request).catch((thrown: unknown) => thrown);
  await meter.close();
  expect(await stuck).toMatchObject({ code: "shutting_down" });
});

test("nothing of what callers send is written to the log", async () => {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-media-"));
  const path = join(folder, "upload");
  const unknown = Buffer.from(
    m4a({ packets: 10 }).toString("latin1").replace("mp4a", "none"),
    "latin1",
  );
  writeFileSync(path, unknown);
  const program = fileURLToPath(new URL("./measure-file.fixture.ts", import.meta.url));
  const child = Bun.spawn([process.execPath, program, path], { stdout: "pipe", stderr: "pipe" });
  const [code, out, errors] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  rmSync(folder, { recursive: true });
  expect({ out, errors }).toEqual({ out: "", errors: "" });
  expect([0, 3]).toContain(code);
});

test("a format that is not taken is refused before any thread has it", async () => {
  const refused = await patient
    .measure(inMemory(mp3File(20)), { param: "file", formats: ["wav"] })
    .catch((thrown: unknown) => thrown);
  expect(refused).toBeInstanceOf(Fault);
  expect(refused).toMatchObject({ code: "invalid_audio", details: { param: "file" } });
});
