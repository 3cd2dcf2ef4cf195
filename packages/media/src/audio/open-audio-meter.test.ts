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
const patient = openAudioMeter({ timeoutMs: 120_000 });
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

test("a WAV that hangs libraries is held for by its bytes", async () => {
  const header = wavFile({ seconds: 0, statedBytes: 100 });
  const zeros = Buffer.concat([header, Buffer.alloc(25_000_000)]);
  expect((await patient.measure(inMemory(zeros), request)).durationMs).toBe(520_834);
  const chunks = Buffer.concat([header.subarray(0, 36), Buffer.alloc(25_000_000)]);
  const size = chunks.length;
  expect(await patient.measure(inMemory(chunks), request)).toEqual({
    format: "wav",
    isMeasured: false,
    durationMs: size,
    holdMs: size,
  });
});

test("what cannot be read, or is larger than a thread may hold, is held for at 8 kbit/s", async () => {
  const compressed = wavFile({ seconds: 1, tag: 0x55 });
  const unmeasured = { isMeasured: false, durationMs: 48_044, holdMs: 48_044 };
  expect(await patient.measure(inMemory(compressed), request)).toMatchObject(unmeasured);
  const tag = Buffer.from(`ID3\x04\0\0\0\0\x10${"\0".repeat(11)}`, "latin1");
  expect(await patient.measure(inMemory(tag), { ...request, formats: ["mp3"] })).toMatchObject({
    isMeasured: false,
    holdMs: 20,
  });
  const small = openAudioMeter({ fileMaxBytes: 2_199, script: endless });
  expect(await small.measure(inMemory(adtsFile(200)), request)).toMatchObject({
    isMeasured: false,
    holdMs: 2_200,
  });
  await small.close();
});

test("a thread that does not come back is ended, and its place measures the next file", async () => {
  const meter = openAudioMeter({ threadsMax: 1, timeoutMs: 8_000, script: endless });
  const file = inMemory(adtsFile(200));
  const first = await meter.measure(file, request);
  const stuck = await meter.measure(file, request);
  const next = await meter.measure(file, request);
  expect(first).toEqual({ format: "aac", isMeasured: true, durationMs: 1_000, holdMs: 2_000 });
  expect(stuck).toMatchObject({ isMeasured: false, holdMs: 2_200 });
  expect(next).toEqual(first);
  await meter.close();
}, 120_000);

test("a thread that dies is replaced", async () => {
  const meter = openAudioMeter({ threadsMax: 1, timeoutMs: 120_000, script: endless });
  expect(await meter.measure(inMemory(adtsFile(20)), request)).toMatchObject({
    isMeasured: false,
    holdMs: 220,
  });
  expect(await meter.measure(inMemory(adtsFile(200)), request)).toMatchObject({ isMeasured: true });
  await meter.close();
});

test("a caller who leaves ends the measuring", async () => {
  const meter = openAudioMeter({ threadsMax: 1, timeoutMs: 120_000, script: endless });
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
  const meter = openAudioMeter({ threadsMax: 1, timeoutMs: 120_000, script: endless });
  const file = inMemory(adtsFile(200));
  const signal = AbortSignal.abort();
  const left = meter.measure(file, { ...request, signal });
  await expect(left).rejects.toMatchObject({ code: "client_closed_request" });
  expect(await meter.measure(file, request)).toMatchObject({ isMeasured: true });
  await meter.close();
});

test("closing ends what is still measured", async () => {
  const meter = openAudioMeter({ threadsMax: 1, timeoutMs: 120_000, script: endless });
  const file = inMemory(adtsFile(200));
  await meter.measure(file, request);
  const stuck = meter.measure(file, request);
  await meter.close();
  expect(await stuck).toMatchObject({ isMeasured: false });
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
