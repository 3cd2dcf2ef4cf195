// A program that measures the file it is given and writes nothing itself.
import { readFileSync } from "node:fs";
import { audioFormats } from "../content/media-format.ts";
import { openAudioMeter } from "./open-audio-meter.ts";

const bytes = readFileSync(process.argv[2] ?? "");
const meter = openAudioMeter({ waitMaxMs: 120_000 });
const file = {
  size: bytes.length,
  head: bytes.subarray(0, 65_536),
  place: { kind: "memory", chunks: [bytes] },
} as const;
const { isMeasured } = await meter.measure(file, { param: "file", formats: audioFormats });
await meter.close();
process.exit(isMeasured ? 0 : 3);
