// A request of another language as a chat completion that the upstream accepts: what chat completions of
// this upstream have no field for is expressed in another way.
import { isObject, type JsonObject } from "@turnpike/base";
import { findServiceTier, openaiHints } from "@turnpike/wire";
import { functionOf, inputName } from "../custom-tool.ts";
import type { ToolNames } from "../tool-names.ts";
import { fitConversation } from "./fit-conversation.ts";
import { fitOffers } from "./fit-tools.ts";
import { gatherInstructions } from "./gather-instructions.ts";
import { moveMedia } from "./move-media.ts";
import type { OpenaiQuirks } from "./quirks.ts";
import { withReasoningContent } from "./reasoning-history.ts";

/** The fields of `body` that an upstream with these quirks accepts. */
export function hintsFor(body: JsonObject, quirks: OpenaiQuirks): JsonObject {
  const taken: JsonObject = {};
  if (refusesHints(quirks)) return taken;
  for (const hint of openaiHints) if ((body[hint] ?? null) !== null) taken[hint] = body[hint];
  return taken;
}

function refusesHints({ customTools, controlFields }: OpenaiQuirks): boolean {
  return customTools !== "native" && controlFields === "rejects";
}

/** `body` is a pivot request; it is not changed. */
export function translateRequest(
  body: JsonObject,
  quirks: OpenaiQuirks,
  names: ToolNames,
): JsonObject {
  const translated = { ...body };
  if (Array.isArray(body.messages)) {
    const messages = body.messages.filter(isObject);
    const spoken = quirks.systemMessages === "first" ? gatherInstructions(messages) : messages;
    // No service is known to read media among the results of a tool, unless its own callers send them.
    const shown = moveMedia(spoken.map((message) => translateMessage(message, quirks)));
    translated.messages = fitConversation(shown, quirks, names);
  }
  Object.assign(translated, quirks.customTools === "native" ? {} : withoutCustomTools(body));
  Object.assign(translated, fitOffers(translated, quirks, names));
  if (quirks.customTools === "native") return translated;
  if (refusesHints(quirks)) {
    for (const hint of openaiHints) delete translated[hint];
    // What every service does by default has no common name.
    if (findServiceTier(body.service_tier) === undefined) delete translated.service_tier;
  }
  return translated;
}

/** `tools` and `tool_choice` of a request, as far as it has them. */
function withoutCustomTools({ tools, tool_choice: choice }: JsonObject): JsonObject {
  const functions: JsonObject = {};
  if (Array.isArray(tools)) {
    functions.tools = tools.map((tool: unknown) =>
      isObject(tool) && isObject(tool.custom) ? functionOf(tool.custom) : tool,
    );
  }
  if (isObject(choice) && isObject(choice.custom)) {
    functions.tool_choice = { type: "function", function: choice.custom };
  }
  return functions;
}

function translateMessage(message: JsonObject, quirks: OpenaiQuirks): JsonObject {
  if (message.role !== "assistant") return message;
  const isReadable = quirks.reasoningHistory === "reasoning_content";
  const translated = { ...(isReadable ? withReasoningContent(message) : message) };
  if (isReadable) delete translated.reasoning_details;
  // If unknown members are refused, reasoning of earlier turns cannot be sent back.
  if (quirks.controlFields === "rejects") delete translated.reasoning_details;
  if (quirks.customTools === "native" || !Array.isArray(message.tool_calls)) return translated;
  translated.tool_calls = message.tool_calls.map((call: unknown) =>
    isObject(call) && isObject(call.custom) ? functionCallOf(call, call.custom) : call,
  );
  return translated;
}

function functionCallOf(call: JsonObject, custom: JsonObject): JsonObject {
  const { custom: _, ...rest } = call;
  const spelled = JSON.stringify({ [inputName]: custom.input });
  return { ...rest, type: "function", function: { name: custom.name, arguments: spelled } };
}
