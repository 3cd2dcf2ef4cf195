// What providers of operations have in common that are not asked in OpenAI's words. Services for audio alone are told nothing
// but a file and its language, do not translate, and are billed by the seconds that they heard.
import { type Fault, parseObject } from "@turnpike/base";
import type { TokenUsage, TranscriptionRequest } from "@turnpike/wire";
import type { Provider } from "../provider.ts";
import { unreadable } from "../refusals/refuse.ts";
import { untranslatable } from "../untranslatable.ts";
import { acceptBody } from "./accept-body.ts";
import { noTokens } from "./openai-operations/operation-answer.ts";

/** Parameters that are for the records of a provider, of which these have none. */
export const forRecords = ["user", "safety_identifier"] as const;

/** Parameters of transcriptions that only OpenAI's models have. */
export const onlyOpenais = [
  "include",
  "chunking_strategy",
  "known_speaker_names",
  "known_speaker_references",
  "languages",
  ...forRecords,
] as const;

export function whyOnlyAudio(
  service: string,
  { task, prompt }: TranscriptionRequest,
): Fault | undefined {
  if (task === "translate") {
    return untranslatable("model", `${service} does not translate: ask for a transcription`);
  }
  if (prompt === undefined) return undefined;
  return untranslatable("prompt", `${service} is told nothing in words`);
}

/** Undefined if they are not reported. */
export function usageOfSeconds(seconds: unknown): TokenUsage | undefined {
  if (typeof seconds !== "number" || !Number.isFinite(seconds) || seconds < 0) return undefined;
  return { ...noTokens, units: [{ unit: "audioMilliseconds", count: Math.ceil(seconds * 1_000) }] };
}

/** Of a 200 that is JSON in place of audio: it may be an error. Always throws. */
export function refuseJson(
  call: { readonly provider: Provider },
  text: string,
  headers: Headers,
): never {
  acceptBody(parseObject(text), call, headers);
  throw unreadable();
}
