// Calls of Gemini's operations for the tests, and answers to them as the service writes them.
import {
  type FileBytes,
  type ImageRequest,
  imagesProtocol,
  type ParsedRequest,
  type SpeechRequest,
  speechProtocol,
  type TranscriptionRequest,
  transcriptionProtocol,
  type UploadedFile,
} from "@turnpike/wire";
import type { GoogleProvider, UpstreamCall } from "../../provider.ts";
import { geminiCall } from "../gemini/sample-response.fixture.ts";

function callWith<Request extends ParsedRequest>(
  request: Request,
  upstreamModel: string,
): UpstreamCall<Request, GoogleProvider> {
  return { ...geminiCall(), request, upstreamModel };
}

export function imageCall(fields: object = {}): UpstreamCall<ImageRequest, GoogleProvider> {
  const body = JSON.stringify({ model: "m", prompt: "a lighthouse", ...fields });
  return callWith(imagesProtocol.parse(body, new Headers()), "gemini-3-pro-image");
}

export function speechCall(fields: object = {}): UpstreamCall<SpeechRequest, GoogleProvider> {
  const body = JSON.stringify({ model: "m", input: "Hello", response_format: "wav", ...fields });
  return callWith(speechProtocol.parse(body, new Headers()), "gemini-2.5-flash-preview-tts");
}

export function uploadedFile(mediaType: string, text: string): UploadedFile {
  const head = Buffer.from(text);
  const bytes: FileBytes = {
    size: head.length,
    head,
    place: { kind: "memory", chunks: [head] },
    chunks: async function* () {
      yield head;
    },
  };
  const extension = mediaType.replace(/^.*\//, "");
  const filename = `a.${extension}`;
  return { field: "file", filename, mediaType, extension, bytes, type: undefined };
}

export function transcriptionCall(
  fields: Readonly<Record<string, unknown>> = {},
  audio = uploadedFile("audio/wav", "RIFF"),
): UpstreamCall<TranscriptionRequest, GoogleProvider> {
  const { form } = transcriptionProtocol;
  if (form === undefined) throw new Error("transcriptions have a form");
  const request = form.parse(
    { fields: { model: "m", ...fields }, files: [audio] },
    "",
    new Headers(),
  );
  return callWith(request, "gemini-2.5-flash");
}

type Candidate = Readonly<Record<string, unknown>>;

export function answer(candidate: Candidate, usageMetadata?: object, others: object = {}): string {
  return JSON.stringify({
    candidates: [candidate],
    usageMetadata,
    responseId: "rEsp0nse_1d",
    ...others,
  });
}

export const inline = (mimeType: string, bytes: string | Buffer) => ({
  inlineData: { mimeType, data: Buffer.from(bytes).toString("base64") },
});
