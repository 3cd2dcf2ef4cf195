// Transcriptions by Gemini, which is told in words to write down what an audio file says. It knows no times, so that whatever
// needs them is refused by name, and what a limit cut is no transcript.
import { Fault } from "@turnpike/base";
import type { TokenUsage, TranscriptionRequest } from "@turnpike/wire";
import type { Dialect, GoogleProvider, UpstreamCall, WholeAnswer } from "../../provider.ts";
import { endedEarly, refuse } from "../../refusals/refuse.ts";
import { untranslatable } from "../../untranslatable.ts";
import { acceptUnread } from "../accept-body.ts";
import { onlyOpenais } from "../audio-services.ts";
import { seedOf } from "../gemini/generation-config.ts";
import { estimateTokens } from "../openai/count-tokens.ts";
import { generateRequest } from "./generate-request.ts";
import { parseGenerated, parseMediaUsage } from "./parse-generated.ts";

type TranscriptionCall = UpstreamCall<TranscriptionRequest, GoogleProvider>;

/** Parameters that are refused or left out, whatever their value. */
const lost: ReadonlySet<string> = new Set([
  "timestamp_granularities",
  "keywords",
  "diarize",
  ...onlyOpenais,
]);

export const geminiTranscriptionDialect: Dialect<TranscriptionRequest, GoogleProvider> = {
  language: "gemini-transcriptions",
  buildRequest(call) {
    const { request, coveredTokens } = call;
    const { audio, temperature, parsed } = request;
    const seed = seedOf(parsed);
    return generateRequest(call, {
      parts: [{ text: instructionOf(call) }, { mimeType: audio.mediaType, data: audio.bytes }],
      config: {
        maxOutputTokens: coveredTokens,
        ...(temperature !== undefined && { temperature }),
        ...(seed !== undefined && { seed }),
      },
      carried: { seed },
    });
  },
  losesParameter: (name) => lost.has(name),
  whyUntranslatable(_target, { format }) {
    if (format === "json" || format === "text") return undefined;
    return untranslatable("response_format", "Gemini knows no times: ask for json or text");
  },
  parseWhole(call, text, headers): WholeAnswer {
    const found = parseGenerated(call, text, headers, "file");
    if (found.isCut) throw cutOff();
    const said = found.text.trim();
    if (said === "") throw endedEarly();
    return {
      kind: "whole",
      upstreamId: found.upstreamId,
      content: {
        kind: "transcript",
        text: said,
        language: undefined,
        durationSeconds: undefined,
        segments: undefined,
        words: undefined,
        logprobs: undefined,
      },
      usage: found.usage,
      finish: null,
      deliveredTokens: estimateTokens(Buffer.byteLength(said)),
    };
  },
  parseUnread: (call, members, headers) =>
    acceptUnread(members, call, headers, ({ usageMetadata }): TokenUsage | undefined =>
      parseMediaUsage(usageMetadata),
    ),
  refuse,
};

function instructionOf({ request }: TranscriptionCall): string {
  const { task, audioLanguage, prompt } = request;
  const wanted =
    task === "translate"
      ? "Translate what is said in this audio into English."
      : "Write down what is said in this audio, word for word, in the language that is spoken.";
  const sentences = [
    wanted,
    "Answer with that text alone.",
    ...(audioLanguage === undefined ? [] : [`The language that is spoken is ${audioLanguage}.`]),
    ...(prompt === undefined ? [] : [`Names and words that may occur: ${prompt}`]),
  ];
  return sentences.join(" ");
}

/** Half of a text would pass for all of it. */
function cutOff(): Fault {
  const sentence = "The transcript is longer than the model may write. Split the audio.";
  return new Fault("bad_gateway", sentence);
}
