// What is sent for images, speech and transcriptions: one turn of the user to generateContent, whose configuration says what the
// answer is to be made of. Files are sent within it, because nothing is fetched or stored for a caller.
import type { JsonObject } from "@turnpike/base";
import { type FileBytes, type ParsedRequest, writeJsonUpload } from "@turnpike/wire";
import type { DialectRequest, GoogleProvider, UpstreamCall } from "../../provider.ts";
import { modelPathOf } from "../gemini/build-request.ts";
import { unsentPreferences } from "../openai-operations/operation-answer.ts";

export type GeminiPart =
  | { readonly text: string }
  | { readonly mimeType: string; readonly data: string | FileBytes };

type Generation = {
  readonly parts: readonly GeminiPart[];
  readonly config: JsonObject;
  /** By our names, the preferences that `config` or the text of a part carries. */
  readonly carried: JsonObject;
};

export function generateRequest(
  call: UpstreamCall<ParsedRequest, GoogleProvider>,
  { parts, config, carried }: Generation,
): DialectRequest {
  const request: DialectRequest = {
    path: `${modelPathOf(call)}:generateContent`,
    accept: "application/json",
    body: "",
    ignored: unsentPreferences(call.request, carried),
  };
  const bodyWith = (place: (file: FileBytes) => string) => ({
    contents: [{ role: "user", parts: parts.map((part) => writePart(part, place)) }],
    generationConfig: config,
  });
  if (!parts.some(isFile)) return { ...request, body: JSON.stringify(bodyWith(() => "")) };
  return { ...request, upload: writeJsonUpload(bodyWith) };
}

function isFile(part: GeminiPart): boolean {
  return "data" in part && typeof part.data !== "string";
}

function writePart(part: GeminiPart, place: (file: FileBytes) => string): JsonObject {
  if ("text" in part) return part;
  const { mimeType, data } = part;
  return { inlineData: { mimeType, data: typeof data === "string" ? data : place(data) } };
}
