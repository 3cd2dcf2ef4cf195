// A chat completions request as one of generateContent. Nothing of it is dropped in silence: what cannot be
// said is refused by its name before anything is held or called.
import { Fault, type JsonObject } from "@turnpike/base";
import type { ChatRequest } from "@turnpike/wire";
import type { DialectRequest, GoogleProvider } from "../../provider.ts";
import { checkFields } from "./check-fields.ts";
import { type GeminiCall, generationConfigOf } from "./generation-config.ts";
import { generationOf, pathOf } from "./model-generation.ts";
import { translateContents } from "./translate-contents.ts";
import { translateTools } from "./translate-tools.ts";

/** The request for one call. Pure: the same call gives the same bytes. */
export function ask(call: GeminiCall): DialectRequest {
  const { request, upstreamModel, maxTokens, omittedFields } = call;
  const terms = { upstreamModel, maxTokens: maxTokens ?? request.maxTokens, omittedFields };
  const body = JSON.stringify(translate(request.parsed, terms));
  const path = pathOf(upstreamModel);
  return request.stream
    ? { path: `${path}:streamGenerateContent?alt=sse`, accept: "text/event-stream", body }
    : { path: `${path}:generateContent`, accept: "application/json", body };
}

/** The Fault that names what Gemini cannot be asked; what models differ in is not among it. */
export function whyUntranslatable(
  _provider: GoogleProvider,
  { parsed }: ChatRequest,
): Fault | undefined {
  try {
    translate(parsed, { upstreamModel: "", maxTokens: undefined, omittedFields: [] });
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
}

type Terms = Pick<GeminiCall, "upstreamModel" | "maxTokens" | "omittedFields">;

function translate(
  parsed: JsonObject,
  { upstreamModel, maxTokens, omittedFields }: Terms,
): JsonObject {
  checkFields(parsed);
  const body = { ...parsed };
  for (const name of omittedFields) delete body[name];
  // A model that does not reason refuses to be asked for its thoughts.
  if (omittedFields.includes("reasoning")) delete body.include_reasoning;
  const { systemInstruction, contents } = translateContents(
    body.messages,
    generationOf(upstreamModel),
  );
  const generationConfig = generationConfigOf(body, upstreamModel, maxTokens);
  return {
    contents,
    ...(systemInstruction !== undefined && { systemInstruction }),
    ...translateTools(body),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
  };
}
