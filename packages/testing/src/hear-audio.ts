// What the scripted upstream hears in an audio file, and how long it lasts: a WAV file says it in a comment, of any other only
// its size is known.
import { Refusal } from "./refuse-request.ts";

export type Heard = { readonly seconds: number; readonly heard: string };

/** Throws `Refusal` for audio that is too short or broken. */
export function hearAudio(bytes: Buffer): Heard {
  const seconds = secondsOf(bytes);
  return { seconds, heard: commentOf(bytes) ?? `${Math.round(seconds)} seconds of audio.` };
}

/** Of a WAV file exactly; of others as if they had the 64 kbit/s of `mp3File`. */
function secondsOf(bytes: Buffer): number {
  const data = startOfSound(bytes);
  const seconds =
    data === undefined ? bytes.length / 8_000 : (bytes.length - data) / bytes.readUInt32LE(28);
  if (seconds >= 0.1 || data === undefined) return Math.round(seconds * 1_000) / 1_000;
  const sentence = "Audio file is too short. Minimum audio length is 0.1 seconds.";
  throw new Refusal(sentence, "audio_too_short");
}

/** Of a WAV file. */
function startOfSound(bytes: Buffer): number | undefined {
  if (bytes.toString("latin1", 0, 4) !== "RIFF") return undefined;
  for (let at = 12; at + 8 <= bytes.length; at += 8 + bytes.readUInt32LE(at + 4)) {
    if (bytes.toString("latin1", at, at + 4) === "data") return at + 8;
  }
  throw new Refusal("Audio file might be corrupted or unsupported", "invalid_value", "file");
}

/** Source: Microsoft's RIFF, INFO list. */
function commentOf(bytes: Buffer): string | undefined {
  const at =
    bytes.toString("latin1", 0, 4) === "RIFF" ? bytes.indexOf("INFOICMT", 12, "latin1") : -1;
  if (at === -1) return undefined;
  return bytes.toString("utf8", at + 12, at + 12 + bytes.readUInt32LE(at + 8)).replace(/\0+$/, "");
}
