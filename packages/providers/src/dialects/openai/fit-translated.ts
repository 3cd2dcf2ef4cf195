// A request that came from another language, adapted to services with these quirks: what only some
// of them accept is spelled in their way or dropped, and what none could accept never gets here.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { stopsToSend } from "../cut-at-stops.ts";
import { fitIdentifiers } from "../fit-identifier.ts";
import { effortFor } from "./effort-for.ts";
import type { OpenaiQuirks } from "./quirks.ts";
import { omit, omitFromEach, withoutMembers } from "./without-members.ts";

/** Members that carry the caller's own language through the pivot. */
const ownMembers = ["cache_control", "is_error"];

export function fitTranslated(
  pivot: JsonObject,
  { controlFields }: OpenaiQuirks,
  upstreamModel: string,
): JsonObject {
  // Only a service with OpenRouter's superset supports cache marks.
  const dropped = controlFields === "obeys" ? ["is_error"] : ownMembers;
  const fitted = { ...omit(pivot, dropped), ...fitIdentifiers(pivot) };
  if (Array.isArray(pivot.messages)) {
    fitted.messages = pivot.messages
      .filter(isObject)
      .map((message) => fitMessage(message, dropped));
  }
  if (Array.isArray(pivot.tools)) {
    fitted.tools = omitFromEach(pivot.tools, dropped);
  }
  if (Array.isArray(pivot.stop)) fitted.stop = stopsToSend(pivot, takesStop);
  if (controlFields !== "obeys") spellReasoning(fitted, upstreamModel);
  return fitted;
}

/** OpenAI takes the first four stop sequences. */
export function takesStop(_stop: string, index: number): boolean {
  return index < 4;
}

function fitMessage(message: JsonObject, dropped: readonly string[]): JsonObject {
  const fitted = withoutMembers(message, dropped);
  if (message.is_error === true) fitted.content = markError(fitted.content);
  if (Array.isArray(fitted.content)) {
    fitted.content = fitted.content.map((part: unknown) => (isObject(part) ? fitPart(part) : part));
  }
  return fitted;
}

const errorPrefix = "Error: ";

/** Chat completions have no flag for a failed tool, so the result says so. */
export function markError(content: unknown): unknown {
  if (!Array.isArray(content)) return errorPrefix + (parseText(content) ?? "");
  const at = content.findIndex((part: unknown) => isObject(part) && part.type === "text");
  const text: unknown = content[at];
  if (!isObject(text)) return [{ type: "text", text: errorPrefix }, ...content];
  return content.with(at, { ...text, text: errorPrefix + (parseText(text.text) ?? "") });
}

/** OpenRouter takes the address of a file in the field where OpenAI takes its data. */
function fitPart(part: JsonObject): JsonObject {
  if (!isObject(part.file) || part.file.file_url === undefined) return part;
  const { file_url: url, ...file } = part.file;
  return { ...part, file: { ...file, file_data: url } };
}

/** OpenAI has effort levels and no budgets. */
function spellReasoning(request: JsonObject, upstreamModel: string): void {
  const effort = effortFor(request, upstreamModel);
  delete request.reasoning;
  delete request.reasoning_effort;
  if (effort !== undefined) request.reasoning_effort = effort;
}
