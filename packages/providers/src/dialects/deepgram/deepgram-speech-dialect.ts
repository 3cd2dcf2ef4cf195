// Speech of Deepgram under `/speak`: the voice is a part of the model's name, `aura-2` with `thalia-en` is `aura-2-thalia-en`, and
// audio is passed on as it comes.
import type { SpeechFormat, SpeechRequest } from "@turnpike/wire";
import type { DeepgramProvider, Dialect } from "../../provider.ts";
import { refuse } from "../../refusals/refuse.ts";
import { untranslatable } from "../../untranslatable.ts";
import { acceptUnread } from "../accept-body.ts";
import { forRecords, refuseJson } from "../audio-services.ts";
import { AudioStream } from "../audio-stream.ts";
import { unsentPreferences } from "../openai-operations/operation-answer.ts";

const samples = { encoding: "linear16", sample_rate: "24000" };

/** Source: its API reference, "Text to speech, media settings". */
const encodings: Readonly<Record<SpeechFormat, Readonly<Record<string, string>>>> = {
  mp3: { encoding: "mp3" },
  opus: { encoding: "opus", container: "ogg" },
  aac: { encoding: "aac" },
  flac: { encoding: "flac" },
  wav: { ...samples, container: "wav" },
  pcm: { ...samples, container: "none" },
};

/** Parameters that are refused or left out, whatever their value. */
const lost: ReadonlySet<string> = new Set(["speed", "instructions", ...forRecords]);

export const deepgramSpeechDialect: Dialect<SpeechRequest, DeepgramProvider> = {
  language: "deepgram-speech",
  isBinary: true,
  buildRequest({ request, upstreamModel }) {
    const { input, voice, format } = request;
    const model = voice === undefined ? upstreamModel : `${upstreamModel}-${voice}`;
    return {
      path: `/speak?${new URLSearchParams({ model, ...encodings[format] })}`,
      accept: "*/*",
      body: JSON.stringify({ text: input }),
      ignored: unsentPreferences(request, {}),
    };
  },
  losesParameter: (name) => lost.has(name),
  whyUntranslatable: (_target, { speed }) =>
    speed === 1
      ? undefined
      : untranslatable("speed", "Deepgram's voices have a speed of their own"),
  openStream: ({ request }) => new AudioStream(request),
  parseWhole: refuseJson,
  parseUnread: (call, members, headers) => acceptUnread(members, call, headers, () => undefined),
  refuse,
};
