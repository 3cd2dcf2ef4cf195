// The AI SDK's gateway protocol for transcriptions: the audio comes in base64 in JSON, and is kept and measured like a file of a form.
import { formatGenerationId, type JsonObject, parseText } from "@turnpike/base";
import { missing } from "../checks/body-fault.ts";
import { anyText } from "../checks/check-value.ts";
import { extensionOfType } from "../checks/media-type.ts";
import { parseJsonBody } from "../json/parse-json-body.ts";
import { aiGatewayLanguage } from "../protocol/languages.ts";
import type { AnswerContent } from "../protocol/pivot.ts";
import type { FilesInJson, Protocol } from "../protocol/protocol.ts";
import { audioFile, transcriptionForm } from "../transcriptions/parse-transcription-request.ts";
import type { TranscriptionRequest } from "../transcriptions/transcription-request.ts";
import { aiGatewayErrors } from "./ai-gateway-errors.ts";
import { CallNotes } from "./call-notes.ts";
import {
  type CallShape,
  type CallTarget,
  endOfAnswer,
  type Told,
  tellCaller,
  translateCall,
} from "./operation-call.ts";

const shape: CallShape = {
  renamed: {},
  translate: (_body, request) => {
    request.response_format = "json";
    return ["mediaType"];
  },
  options: {
    "openai.language": "language",
    "openai.prompt": "prompt",
    "openai.temperature": "temperature",
    "openai.timestampGranularities": "timestamp_granularities",
  },
};

const form = transcriptionForm("transcribe");

export function transcriptionModelProtocol(
  target: CallTarget,
): Protocol<Told<TranscriptionRequest>> {
  return {
    operation: "transcription",
    language: aiGatewayLanguage,
    errors: aiGatewayErrors,
    parse() {
      throw missing("audio");
    },
    form: {
      ...form,
      filesInJson: readAudio,
      parse(received, raw, headers) {
        const notes = new CallNotes();
        const fields = translateCall(received.fields, target, shape, notes);
        // Segments and words are times, which only the longer answer has.
        if (fields.timestamp_granularities !== undefined) fields.response_format = "verbose_json";
        notes.name("file", "audio");
        const request = notes.naming(fields, () =>
          form.parse({ ...received, fields }, raw, headers),
        );
        return tellCaller(request, fields, notes);
      },
    },
    addressed: `${target.model}\n${target.specification}`,
    answerId: formatGenerationId,
    writeWhole: (content, identity, bill, request) =>
      JSON.stringify({
        ...transcriptOf(content, request),
        ...endOfAnswer(request, target, identity, bill),
      }),
  };
}

/** Throws the Fault that names what is missing. */
function readAudio(body: string): FilesInJson {
  const { audio, ...fields } = parseJsonBody(body).parsed;
  if (audio === undefined) throw missing("audio");
  anyText(audio, "audio");
  const extension = extensionOfType(parseText(fields.mediaType) ?? "");
  return { fields, files: [audioFile(String(audio), "audio", extension)] };
}

/** The duration is what was measured where the provider reports none. */
function transcriptOf(content: AnswerContent, { durationMs }: TranscriptionRequest): JsonObject {
  if (content.kind !== "transcript") throw new Error("another answer to a transcription");
  const { text, language, durationSeconds, segments = [], words } = content;
  return {
    text,
    segments: segments.map(timed),
    ...(words !== undefined && { words: words.map(timed) }),
    language,
    durationInSeconds: durationSeconds ?? durationMs / 1_000,
  };
}

function timed({ text, word = text, start, end }: JsonObject): JsonObject {
  return { text: word, startSecond: start, endSecond: end };
}
