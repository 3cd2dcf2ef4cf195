// Speech of Gemini by generateContent, which answers with samples that have no head. They are sent as they are, or as a WAV file;
// other formats would have to be encoded here, and are refused by name.
import type { SpeechRequest, TokenUsage } from "@turnpike/wire";
import type { Dialect, GoogleProvider, WholeAnswer } from "../../provider.ts";
import { endedEarly, refuse } from "../../refusals/refuse.ts";
import { untranslatable } from "../../untranslatable.ts";
import { acceptUnread } from "../accept-body.ts";
import { forRecords } from "../audio-services.ts";
import { tokensIn } from "../spoken-tokens.ts";
import { wrapWav } from "../wrap-wav.ts";
import { generateRequest } from "./generate-request.ts";
import { parseGenerated, parseMediaUsage } from "./parse-generated.ts";

const bytesPerSample = 2;
/** Of the samples, if their type does not say. */
const usualRate = 24_000;

/** Parameters that are refused or left out, whatever their value. */
const lost: ReadonlySet<string> = new Set(["speed", ...forRecords]);

export const geminiSpeechDialect: Dialect<SpeechRequest, GoogleProvider> = {
  language: "gemini-speech",
  buildRequest(call) {
    const { input, instructions, voice } = call.request;
    const voiceConfig = { prebuiltVoiceConfig: { voiceName: voice } };
    return generateRequest(call, {
      // How to speak is said before what to speak.
      parts: [{ text: instructions === undefined ? input : `${instructions}: ${input}` }],
      config: {
        responseModalities: ["AUDIO"],
        ...(voice !== undefined && { speechConfig: { voiceConfig } }),
      },
      carried: { instructions },
    });
  },
  losesParameter: (name) => lost.has(name),
  whyUntranslatable(_target, { format, speed }) {
    if (format !== "wav" && format !== "pcm") {
      return untranslatable("response_format", "Gemini speaks in wav or pcm: ask for one of them");
    }
    return speed === 1
      ? undefined
      : untranslatable("speed", "Gemini has no speed: say in `instructions` how to speak");
  },
  parseWhole(call, text, headers): WholeAnswer {
    const { media, usage, upstreamId } = parseGenerated(call, text, headers, "input");
    const [first] = media;
    if (first === undefined) throw endedEarly();
    const samples = Buffer.concat(media.map(({ base64 }) => Buffer.from(base64, "base64")));
    const { format } = call.request;
    const rate = Number(/;\s*rate=(\d{4,6})\b/i.exec(first.mimeType)?.[1] ?? usualRate);
    return {
      kind: "whole",
      upstreamId,
      content: {
        kind: "audio",
        bytes: format === "wav" ? wrapWav(samples, rate) : Uint8Array.from(samples),
      },
      usage: allAudio(usage),
      finish: null,
      deliveredTokens: tokensIn(samples.byteLength / (rate * bytesPerSample)),
    };
  },
  parseUnread: (call, members, headers) =>
    acceptUnread(members, call, headers, ({ usageMetadata }) =>
      allAudio(parseMediaUsage(usageMetadata)),
    ),
  refuse,
};

/** What is no thought is audio, if the answer does not say how much of it is. */
function allAudio(usage: TokenUsage | undefined): TokenUsage | undefined {
  if (usage === undefined) return undefined;
  const { completionTokens, reasoningTokens } = usage;
  const { audioCompletionTokens = completionTokens - reasoningTokens } = usage;
  return { ...usage, audioCompletionTokens };
}
