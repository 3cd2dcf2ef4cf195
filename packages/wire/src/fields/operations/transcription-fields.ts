// The fields of a request for a transcription or a translation of audio.
import {
  anyText,
  boolean,
  decimal,
  integer,
  list,
  oneOf,
  rule,
  text,
} from "../../checks/check-value.ts";
import { withCommonFields } from "./operation-field.ts";

export const transcriptFormats = [
  "json",
  "text",
  "srt",
  "verbose_json",
  "vtt",
  "diarized_json",
] as const;
const promptCharsMax = 8_000;

/** What only some providers have, and no answer needs. */
const preference = { isPreference: true } as const;

export const transcriptionFields = withCommonFields({
  language: { check: text({ pattern: /^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$/ }), isRewritten: true },
  prompt: { check: text({ maxLength: promptCharsMax }) },
  response_format: { check: oneOf(transcriptFormats), isRewritten: true },
  temperature: { check: decimal(0, 1) },
  timestamp_granularities: {
    check: list(oneOf(["word", "segment"]), { of: "strings" }),
    listedWith: "timestamps",
  },
  stream: { check: boolean, isRewritten: true },
  include: { check: list(oneOf(["logprobs"]), { of: "strings" }), ...preference },
  chunking_strategy: { check: rule({}, () => undefined), ...preference },
  known_speaker_names: { check: list(anyText, { max: 4, of: "strings" }), ...preference },
  known_speaker_references: { check: list(anyText, { max: 4, of: "strings" }), ...preference },
  keywords: { check: list(anyText, { max: 100, of: "strings" }), ...preference, isRewritten: true },
  languages: { check: list(anyText, { max: 20, of: "strings" }), ...preference, isRewritten: true },
  diarize: { check: boolean, ...preference, isRewritten: true },
  seed: { check: integer(0, 2 ** 32 - 1), ...preference, isRewritten: true },
});
