// Answers of ElevenLabs and Deepgram as they write them: what a caller reads of their words and speakers, and what is billed.
import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import type { ParsedRequest } from "@turnpike/wire";
import type { DeepgramProvider, ElevenLabsProvider, UpstreamCall } from "../provider.ts";
import { deepgramSpeechDialect } from "./deepgram/deepgram-speech-dialect.ts";
import { deepgramTranscriptionDialect } from "./deepgram/deepgram-transcription-dialect.ts";
import { elevenLabsSpeechDialect } from "./elevenlabs/elevenlabs-speech-dialect.ts";
import { elevenLabsTranscriptionDialect } from "./elevenlabs/elevenlabs-transcription-dialect.ts";
import { speechCall, transcriptionCall } from "./gemini-operations/sample-operations.fixture.ts";

const shared = {
  baseUrl: "https://api.example.com/v1",
  credential: { scheme: "none" },
  cancelledStream: "billed_as_written",
} as const;
const elevenLabs: ElevenLabsProvider = { id: "elevenlabs", kind: "elevenlabs", ...shared };
const deepgram: DeepgramProvider = { id: "deepgram", kind: "deepgram", ...shared };

const at = <Request extends ParsedRequest, Called>(
  call: UpstreamCall<Request>,
  provider: Called,
  upstreamModel: string,
) => ({ ...call, provider, upstreamModel });

const headers = new Headers();

function faultOf(read: () => unknown): unknown {
  try {
    read();
  } catch (thrown) {
    if (thrown instanceof Fault) return [thrown.code, thrown.message];
    throw thrown;
  }
  return "nothing was thrown";
}

describe("ElevenLabs", () => {
  const answer = JSON.stringify({
    language_code: "eng",
    text: "Hi, Ada. (laughs) Bye.",
    words: [
      { text: "Hi,", type: "word", start: 0.1, end: 0.4, speaker_id: "speaker_0" },
      { text: " ", type: "spacing", start: 0.4, end: 0.5, speaker_id: "speaker_0" },
      { text: "Ada.", type: "word", start: 0.5, end: 0.9, speaker_id: "speaker_0" },
      { text: " ", type: "spacing", start: 0.9, end: 1 },
      { text: "(laughs)", type: "audio_event", start: 1, end: 2 },
      { text: " ", type: "spacing", start: 2, end: 2.1 },
      { text: "Bye.", type: "word", start: 2.1, end: 2.5, speaker_id: "speaker_1" },
    ],
    audio_duration_secs: 2.7201,
    transcription_id: "tr_9",
  });
  const parse = (fields: Readonly<Record<string, unknown>>, text = answer) =>
    elevenLabsTranscriptionDialect.parseWhole(
      at(transcriptionCall(fields), elevenLabs, "scribe_v1"),
      text,
      headers,
    );

  test("speakers are told apart where they are asked for, and sounds are no words", () => {
    const { content, usage, upstreamId } = parse({ response_format: "diarized_json" });
    const type = "transcript.text.segment";
    expect(content).toMatchObject({
      kind: "transcript",
      language: "eng",
      segments: [
        { type, id: "seg_0", start: 0.1, end: 0.9, text: "Hi, Ada.", speaker: "speaker_0" },
        { type, id: "seg_1", start: 2.1, end: 2.5, text: "Bye.", speaker: "speaker_1" },
      ],
      words: [{ word: "Hi," }, { word: "Ada." }, { word: "Bye." }],
    });
    expect(usage?.units).toEqual([{ unit: "audioMilliseconds", count: 2_721 }]);
    expect(upstreamId).toBe("tr_9");
  });

  test("without that they are not named", () => {
    const { content } = parse({ response_format: "verbose_json" });
    expect(content).toMatchObject({ segments: [{ id: 0 }, { id: 1 }] });
    expect(JSON.stringify(content)).not.toContain("speaker");
  });

  test("captions without times are not sold, a text without them is", () => {
    const text = JSON.stringify({ text: "Hello" });
    const unreadable = ["bad_gateway", "The upstream provider sent an unreadable answer."];
    expect(faultOf(() => parse({ response_format: "srt" }, text))).toEqual(unreadable);
    expect(parse({}, text)).toMatchObject({ content: { text: "Hello" }, usage: undefined });
  });

  test("samples get the head of a WAV file once, before the first of them", () => {
    const call = at(speechCall({ voice: "v1" }), elevenLabs, "eleven_v3");
    const options = { maxEventBytes: 1_000, headers };
    const stream = elevenLabsSpeechDialect.openStream?.(call, options);
    const frames = ["ab", "cd"].flatMap((text) => stream?.push(Buffer.from(text)) ?? []);
    const sent = frames.map((event) => (event.kind === "frame" ? event.bytes : new Uint8Array()));
    const file = Buffer.concat(sent);
    expect([file.toString("latin1", 0, 4), file.readUInt32LE(40)]).toEqual(["RIFF", 0xffff_ffff]);
    expect(file.toString("latin1", 44)).toBe("abcd");
    expect(stream?.end()).toEqual([{ kind: "done" }]);
  });

  test("audio that never comes is a failure, whatever head it would have had", () => {
    const call = at(speechCall({ voice: "v1" }), elevenLabs, "eleven_v3");
    const stream = elevenLabsSpeechDialect.openStream?.(call, { maxEventBytes: 1_000, headers });
    expect([stream?.end(), stream?.fault?.code]).toEqual([[], "bad_gateway"]);
  });

  test("its refusals are in its own words", () => {
    const body = '{"detail":{"status":"voice_not_found","message":"No such voice."}}';
    const fault = elevenLabsSpeechDialect.refuse(elevenLabs, 404, body, headers);
    expect([fault.code, fault.message]).toEqual(["upstream_rejected", "No such voice."]);
  });
});

describe("Deepgram", () => {
  const word = (text: string, start: number, speaker: number) => ({
    word: text.toLowerCase(),
    punctuated_word: text,
    start,
    end: start + 0.4,
    confidence: 0.98,
    speaker,
  });
  const answer = {
    metadata: { request_id: "0a1b", duration: 2.5, channels: 1 },
    results: {
      channels: [
        {
          detected_language: "de",
          alternatives: [
            {
              transcript: "Guten Tag. Hallo.",
              confidence: 0.99,
              words: [word("Guten", 0.1, 0), word("Tag.", 0.6, 0), word("Hallo.", 1.5, 1)],
            },
          ],
        },
      ],
    },
  };
  const parse = (body: object, fields: Readonly<Record<string, unknown>> = {}) =>
    deepgramTranscriptionDialect.parseWhole(
      at(transcriptionCall(fields), deepgram, "nova-3"),
      JSON.stringify(body),
      headers,
    );

  test("its numbers are speakers, and its punctuated words the text of segments", () => {
    const { content, usage } = parse(answer, { response_format: "diarized_json" });
    expect(content).toMatchObject({
      language: "de",
      durationSeconds: 2.5,
      segments: [
        { start: 0.1, end: 1, text: "Guten Tag.", speaker: "speaker_0" },
        { start: 1.5, end: 1.9, text: "Hallo.", speaker: "speaker_1" },
      ],
    });
    expect(usage?.units).toEqual([{ unit: "audioMilliseconds", count: 2_500 }]);
  });

  test("an answer that nobody reads is billed by the same seconds", () => {
    const call = at(transcriptionCall(), deepgram, "nova-3");
    const { usage } = deepgramTranscriptionDialect.parseUnread(call, answer, headers);
    expect(usage?.units).toEqual([{ unit: "audioMilliseconds", count: 2_500 }]);
  });

  test("silence is an empty text, and an answer without channels is none", () => {
    const silent = { channels: [{ alternatives: [{ transcript: "", words: [] }] }] };
    const { content } = parse({ ...answer, results: silent }, { response_format: "srt" });
    expect(content).toMatchObject({ text: "", segments: [] });
    const [code] = [faultOf(() => parse({ metadata: {}, results: {} }))].flat();
    expect(code).toBe("bad_gateway");
  });

  test.each([
    ["nova-3", "keyterm"],
    ["nova-2", "keywords"],
  ])("%s is told words as %s", (model, name) => {
    const call = at(
      transcriptionCall({ keywords: ["Ada", "C&A"], language: "en" }),
      deepgram,
      model,
    );
    const { path } = deepgramTranscriptionDialect.buildRequest(call);
    expect(path).toBe(
      `/listen?model=${model}&smart_format=true&language=en&${name}=Ada&${name}=C%26A`,
    );
  });

  test("a temperature that asks for something is refused, and one of 0 asks for nothing", () => {
    const why = (temperature: number) => {
      const call = at(transcriptionCall({ temperature }), deepgram, "nova-3");
      return deepgramTranscriptionDialect.whyUntranslatable?.(call, call.request)?.details.param;
    };
    expect([why(0), why(0.5)]).toEqual([undefined, "temperature"]);
  });

  test("a voice stays one value of the query, whatever it has in it", () => {
    const call = at(speechCall({ voice: "a&callback=x" }), deepgram, "aura-2");
    const { path } = deepgramSpeechDialect.buildRequest(call);
    const query = new URLSearchParams(path.slice(path.indexOf("?")));
    expect([query.get("model"), query.get("callback")]).toEqual(["aura-2-a&callback=x", null]);
  });

  test("an error in place of audio keeps its meaning", () => {
    const call = at(speechCall(), deepgram, "aura-2");
    const body = '{"err_code":"rate_limit_exceeded","err_msg":"Too many requests."}';
    const [code] = [faultOf(() => deepgramSpeechDialect.parseWhole(call, body, headers))].flat();
    expect(code).toBe("upstream_rate_limited");
  });
});
