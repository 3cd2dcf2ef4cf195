// A chat completions request as Anthropic's messages. What has no counterpart was refused before
// (why-unspeakable.ts) or is harmless to leave out (docs/clients.md).
import { isObject, type JsonObject } from "@turnpike/base";
import { functionOf } from "../custom-tool.ts";
import type { MessagesCall } from "./message-stream.ts";
import { writeConversation } from "./write-conversation.ts";
import { writeThinking } from "./write-thinking.ts";

export function writeRequest(call: MessagesCall): JsonObject {
  const { parsed, stream, maxTokens: asked } = call.request;
  const maxTokens = call.maxTokens ?? asked ?? call.coveredTokens;
  const body: JsonObject = {
    model: call.upstreamModel,
    max_tokens: maxTokens,
    ...writeConversation(parsed.messages),
  };
  if (stream) body.stream = true;
  for (const key of ["top_p", "top_k", "cache_control"]) {
    if ((parsed[key] ?? null) !== null) body[key] = parsed[key];
  }
  // Anthropic's scale ends at 1, chat's at 2.
  if (typeof parsed.temperature === "number") {
    body.temperature = Math.min(parsed.temperature, 1);
    // Models from Claude 4.5 on refuse both together.
    delete body.top_p;
  }
  const stop = typeof parsed.stop === "string" ? [parsed.stop] : parsed.stop;
  if (Array.isArray(stop) && stop.length > 0) body.stop_sequences = stop;
  const user = parsed.user ?? parsed.safety_identifier;
  if (typeof user === "string" && user !== "") body.metadata = { user_id: user };
  writeTools(parsed, body);
  const config: JsonObject = {};
  if (isObject(parsed.response_format) && isObject(parsed.response_format.json_schema)) {
    const { schema } = parsed.response_format.json_schema;
    config.format = { type: "json_schema", schema: schema ?? {} };
  }
  writeThinking(call, maxTokens, body, config);
  if (Object.keys(config).length > 0) body.output_config = config;
  return body;
}

function writeTools(parsed: JsonObject, body: JsonObject): void {
  if (!Array.isArray(parsed.tools) || parsed.tools.length === 0) return;
  body.tools = parsed.tools.filter(isObject).map(writeTool);
  const choice = writeChoice(parsed.tool_choice);
  const isSingle = parsed.parallel_tool_calls === false && choice?.type !== "none";
  if (isSingle) body.tool_choice = { type: "auto", ...choice, disable_parallel_tool_use: true };
  else if (choice !== undefined) body.tool_choice = choice;
}

const anyInput: JsonObject = { type: "object", properties: {} };

function writeTool(tool: JsonObject): JsonObject {
  const written = functionTool(
    isObject(tool.custom) ? functionOf(tool.custom).function : tool.function,
  );
  const mark = tool.cache_control;
  return isObject(mark) ? { ...written, cache_control: mark } : written;
}

function functionTool(definition: unknown): JsonObject {
  const { name, description, parameters, strict } = isObject(definition) ? definition : {};
  const tool: JsonObject = { name };
  if (typeof description === "string") tool.description = description;
  // Anthropic wants the type of every schema to be spelled out.
  tool.input_schema = isObject(parameters) ? { type: "object", ...parameters } : anyInput;
  if (strict === true) tool.strict = true;
  return tool;
}

function writeChoice(choice: unknown): JsonObject | undefined {
  if (choice === "auto" || choice === "none") return { type: choice };
  if (choice === "required") return { type: "any" };
  if (!isObject(choice)) return undefined;
  const named = isObject(choice.function) ? choice.function : choice.custom;
  return isObject(named) ? { type: "tool", name: named.name } : undefined;
}
