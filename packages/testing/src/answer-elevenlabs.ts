// How the scripted upstream answers as ElevenLabs does: `/text-to-speech/{voice}/stream` with bytes, and `/speech-to-text` with words
// and the white space between them. Like the real service it refuses what it does not know.
import { soundOf, speechSecondsOf } from "./answer-speech.ts";
import { hearAudio } from "./hear-audio.ts";
import { countTextTokens, jsonAnswer, type ParseOperation, type Piece } from "./operation-call.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import { readForm, typed } from "./read-form.ts";
import { badValue, checkFields, isBoolean, isNumber, isOneOf, isText } from "./refuse-request.ts";
import { transcriptOf } from "./transcript.ts";

export const elevenLabsVoices = ["21m00Tcm4TlvDq8ikWAM", "JBFqnCBsd6RMkjVDRZzb"] as const;

const pieceBytes = 4_096;
const soundsOf: Readonly<Record<string, string>> = {
  mp3_44100_128: "mp3",
  opus_48000_64: "opus",
  pcm_24000: "pcm",
};

export const parseElevenLabsSpeech: ParseOperation = ({ path, query, body }) => {
  const parsed: unknown = JSON.parse(body.toString());
  const fields = fieldsOf(parsed);
  const speed = isNumber(0.7, 1.2, "decimal");
  const settings = (value: unknown) => checkFields(fieldsOf(value), { speed }, []);
  checkFields(fields, { text: isText(), model_id: isText(), voice_settings: settings }, [
    "text",
    "model_id",
  ]);
  isOneOf(...elevenLabsVoices)(path.split("/").at(-2), "voice_id");
  const output = query.get("output_format") ?? "mp3_44100_128";
  const sound = soundsOf[output];
  if (sound === undefined) throw badValue("output_format", `'${output}' is unknown.`);
  const text = String(fields.text);
  const bytes = soundOf(sound, speechSecondsOf(text), text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index): Piece => {
    return { data: bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes), isDelta: true };
  });
  const model = String(fields.model_id);
  const type = sound === "mp3" ? "audio/mpeg" : "application/octet-stream";
  const promptTokens = countTextTokens(text);
  return {
    parsed,
    model,
    isStream: true,
    text,
    promptTokens,
    answer: () => ({ type, body: pieces }),
  };
};

const checks = {
  model_id: isText(),
  language_code: isText(),
  timestamps_granularity: isOneOf("none", "word", "character"),
  tag_audio_events: isBoolean,
  diarize: isBoolean,
  temperature: isNumber(0, 2, "decimal"),
  seed: isNumber(0, 2_147_483_647, "integer"),
};

export const parseElevenLabsTranscription: ParseOperation = async ({ contentType, body }) => {
  const { fields: texts, files } = await readForm(body, contentType);
  const fields = typed(texts, ["temperature", "seed"], ["tag_audio_events", "diarize"]);
  checkFields(fields, checks, ["model_id"]);
  const [file] = files.file ?? [];
  if (file === undefined) throw badValue("file", "it is missing.");
  const { seconds, heard } = hearAudio(file.bytes);
  const model = String(fields.model_id);
  const isDiarized = fields.diarize === true;
  return {
    parsed: { ...fields, file: { filename: file.filename, type: file.type } },
    model,
    isStream: false,
    text: heard,
    promptTokens: 0,
    answer: (script) => {
      const text = script.text ?? heard;
      const words = transcriptOf(text, seconds).words.flatMap(({ word, start, end }, index) => [
        ...(index === 0 ? [] : [{ type: "spacing", text: " ", start, end: start }]),
        { type: "word", text: word, start, end, ...(isDiarized && { speaker_id: "speaker_0" }) },
      ]);
      return jsonAnswer({
        language_code: "eng",
        language_probability: 0.98,
        text,
        words,
        transcription_id: "tr_1",
        ...(script.usage !== "missing" && { audio_duration_secs: seconds }),
      });
    },
  };
};
