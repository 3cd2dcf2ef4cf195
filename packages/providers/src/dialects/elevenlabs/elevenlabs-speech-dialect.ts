// Speech of ElevenLabs under `/text-to-speech`: the voice is a part of the address, and audio is passed on as it comes. A WAV file
// is its samples behind a head of ours.
import type { SpeechFormat, SpeechRequest } from "@turnpike/wire";
import type { Dialect, ElevenLabsProvider } from "../../provider.ts";
import { refuse } from "../../refusals/refuse.ts";
import { untranslatable } from "../../untranslatable.ts";
import { acceptUnread } from "../accept-body.ts";
import { forRecords, refuseJson } from "../audio-services.ts";
import { AudioStream } from "../audio-stream.ts";
import { unsentPreferences } from "../openai-operations/operation-answer.ts";
import { isPathSegment } from "../path-segment.ts";
import { wavHead } from "../wrap-wav.ts";

const samplesPerSecond = 24_000;

/** By our formats, its own. Source: its API reference, "Create speech". */
const outputFormats: Readonly<Partial<Record<SpeechFormat, string>>> = {
  mp3: "mp3_44100_128",
  opus: "opus_48000_64",
  pcm: `pcm_${samplesPerSecond}`,
  wav: `pcm_${samplesPerSecond}`,
};

/** Source: its guide to voice settings. */
const speeds = { least: 0.7, most: 1.2 };

/** Parameters that are refused or left out, whatever their value. */
const lost: ReadonlySet<string> = new Set(["instructions", ...forRecords]);

export const elevenLabsSpeechDialect: Dialect<SpeechRequest, ElevenLabsProvider> = {
  language: "elevenlabs-speech",
  isBinary: true,
  buildRequest({ request, upstreamModel }) {
    const { input, voice = "", format, speed } = request;
    const query = `output_format=${outputFormats[format] ?? ""}`;
    return {
      path: `/text-to-speech/${encodeURIComponent(voice)}/stream?${query}`,
      accept: "*/*",
      body: JSON.stringify({
        text: input,
        model_id: upstreamModel,
        ...(speed !== 1 && { voice_settings: { speed } }),
      }),
      ignored: unsentPreferences(request, {}),
    };
  },
  losesParameter: (name) => lost.has(name),
  whyUntranslatable(_target, { voice, format, speed }) {
    if (voice === undefined || !isPathSegment(voice)) {
      return untranslatable("voice", "ElevenLabs needs the id of one of its voices");
    }
    if (outputFormats[format] === undefined) {
      const known = Object.keys(outputFormats).join(", ");
      return untranslatable("response_format", `ElevenLabs has these: ${known}`);
    }
    if (speed >= speeds.least && speed <= speeds.most) return undefined;
    return untranslatable("speed", `ElevenLabs speaks at ${speeds.least} to ${speeds.most}`);
  },
  openStream: ({ request }) =>
    new AudioStream(request, request.format === "wav" ? wavHead(samplesPerSecond) : undefined),
  parseWhole: refuseJson,
  parseUnread: (call, members, headers) => acceptUnread(members, call, headers, () => undefined),
  refuse,
};
