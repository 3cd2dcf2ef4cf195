// Audio of a known length, as clients send it in JSON.
import { wavFile } from "./audio-files.ts";

/** Silence in base64: mono, 16 bit, 24 kHz. */
export function silentWav(seconds: number): string {
  return wavFile({ seconds }).toString("base64");
}
