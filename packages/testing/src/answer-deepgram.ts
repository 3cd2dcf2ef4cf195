// How the scripted upstream answers as Deepgram does: `/speak` with bytes, and `/listen` to a file that is the whole body. What is
// asked for is in the query, of which it refuses every name that it does not know.
import { soundOf, speechSecondsOf } from "./answer-speech.ts";
import { hearAudio } from "./hear-audio.ts";
import { countTextTokens, jsonAnswer, type ParseOperation, type Piece } from "./operation-call.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import { badValue, type Check, checkFields, isOneOf, isText } from "./refuse-request.ts";
import { transcriptOf } from "./transcript.ts";

const pieceBytes = 4_096;

/** By their encoding and container. */
const soundsOf: Readonly<Record<string, string>> = {
  mp3: "mp3",
  "opus/ogg": "opus",
  aac: "aac",
  flac: "flac",
  "linear16/wav": "wav",
  "linear16/none": "pcm",
};

function checkQuery(query: URLSearchParams, checks: Readonly<Record<string, Check>>): void {
  checkFields(Object.fromEntries(query), checks, ["model"]);
}

export const parseDeepgramSpeech: ParseOperation = ({ query, body }) => {
  const parsed: unknown = JSON.parse(body.toString());
  checkQuery(query, {
    model: isOneOf("aura-2-thalia-en", "aura-2-apollo-en"),
    encoding: isText(),
    container: isText(),
    sample_rate: isOneOf("24000"),
  });
  const fields = fieldsOf(parsed);
  checkFields(fields, { text: isText(2_000) }, ["text"]);
  const container = query.get("container");
  const asked = `${query.get("encoding")}${container === null ? "" : `/${container}`}`;
  const sound = soundsOf[asked];
  if (sound === undefined) throw badValue("encoding", `'${asked}' is unknown.`);
  const text = String(fields.text);
  const bytes = soundOf(sound, speechSecondsOf(text), text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index): Piece => {
    return { data: bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes), isDelta: true };
  });
  const model = query.get("model") ?? "";
  const promptTokens = countTextTokens(text);
  const answer = () => ({ type: "audio/mpeg", body: pieces });
  return { parsed, model, isStream: true, text, promptTokens, answer };
};

export const parseDeepgramTranscription: ParseOperation = ({ query, body }) => {
  const isTrue = isOneOf("true");
  checkQuery(query, {
    model: isText(),
    smart_format: isTrue,
    detect_language: isTrue,
    language: isText(),
    diarize: isTrue,
    keyterm: isText(),
  });
  const { seconds, heard } = hearAudio(body);
  const isDiarized = query.has("diarize");
  return {
    parsed: Object.fromEntries(query),
    model: query.get("model") ?? "",
    isStream: false,
    text: heard,
    promptTokens: 0,
    answer: (script) => {
      const transcript = script.text ?? heard;
      const { words: spoken } = transcriptOf(transcript, seconds);
      const words = spoken.map(({ word, start, end }, index) => ({
        word: word.toLowerCase().replace(/\W+$/, ""),
        punctuated_word: word,
        start,
        end,
        confidence: 0.99,
        ...(isDiarized && { speaker: index < spoken.length / 2 ? 0 : 1, speaker_confidence: 0.9 }),
      }));
      const language = query.has("detect_language") ? { detected_language: "en" } : {};
      const alternatives = [{ transcript, confidence: 0.99, words }];
      const usage = script.usage === "missing" ? {} : { duration: seconds };
      return jsonAnswer({
        metadata: { request_id: "0a1b", channels: 1, ...usage },
        results: { channels: [{ alternatives, ...language }] },
      });
    },
  };
};
