// A chat completions request as one of generateContent. Nothing of it is dropped in silence: what cannot be
// said is refused by its name before anything is held or called.
import { Fault, type JsonObject } from "@turnpike/base";
import { type ChatRequest, chatLanguage } from "@turnpike/wire";
import type { DialectRequest, GoogleProvider } from "../../provider.ts";
import { findExcessStops } from "../../untranslatable.ts";
import { vertexPath } from "../vertex-model.ts";
import { checkFields } from "./check-fields.ts";
import { type GeminiCall, generationConfigOf } from "./generation-config.ts";
import { generationOf } from "./thinking-config.ts";
import { translateContents } from "./translate-contents.ts";
import { translateTools } from "./translate-tools.ts";
import { withoutCallIds } from "./without-call-ids.ts";

/** The request for one call. Pure: the same call gives the same bytes. */
export function ask(call: GeminiCall): DialectRequest {
  const { request, provider, upstreamModel, maxTokens, omittedFields } = call;
  const limit = maxTokens ?? request.maxTokens;
  const terms = { provider, upstreamModel, maxTokens: limit, omittedFields };
  const body = JSON.stringify(translate(request, terms));
  const path = pathOf(call);
  return request.stream
    ? { path: `${path}:streamGenerateContent?alt=sse`, accept: "text/event-stream", body }
    : { path: `${path}:generateContent`, accept: "application/json", body };
}

/** The Fault that names what Gemini cannot be asked; what models differ in is not among it. */
export function whyUntranslatable(
  provider: GoogleProvider,
  request: ChatRequest,
): Fault | undefined {
  const excess = findExcessStops(request, 5);
  if (excess !== undefined) return excess;
  try {
    translate(request, { provider, upstreamModel: "", maxTokens: undefined, omittedFields: [] });
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
}

/** The method follows behind a colon; tuned models have a path of their own. */
function pathOf({ provider, upstreamModel }: GeminiCall): string {
  if (provider.cloud === "vertex") return vertexPath(upstreamModel);
  return upstreamModel.includes("/") ? `/${upstreamModel}` : `/models/${upstreamModel}`;
}

type Terms = Pick<GeminiCall, "provider" | "upstreamModel" | "maxTokens" | "omittedFields">;

function translate(
  { parsed, language }: ChatRequest,
  { provider, upstreamModel, maxTokens, omittedFields }: Terms,
): JsonObject {
  checkFields(parsed);
  const body = { ...parsed };
  for (const name of omittedFields) delete body[name];
  // A model that does not reason refuses to be asked for its thoughts.
  if (omittedFields.includes("reasoning")) delete body.include_reasoning;
  // Clients of other APIs send it with every request: Codex does for each model it does not know.
  if (language !== chatLanguage) delete body.parallel_tool_calls;
  const { systemInstruction, contents } = translateContents(
    body.messages,
    generationOf(upstreamModel),
  );
  const generationConfig = generationConfigOf(body, upstreamModel, maxTokens);
  return {
    contents: provider.cloud === "vertex" ? withoutCallIds(contents) : contents,
    ...(systemInstruction !== undefined && { systemInstruction }),
    ...translateTools(body),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
  };
}
