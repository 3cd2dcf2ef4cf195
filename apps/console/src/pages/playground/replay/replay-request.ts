// What was stored of a request, as a conversation: of chat completions, responses and messages. What is not known is left
// out, files were not stored.
import { asList, asRecord } from "../../../product/completions/parse-chunk.ts";
import type { Attachment } from "../composer/attachments.ts";
import {
  type Conversation,
  efforts,
  type Message,
  newConversation,
  newMessage,
  noParameters,
  type Parameters,
  type RunFacts,
  type ToolCall,
} from "../conversation/conversation.ts";

type Detail = {
  readonly id: string;
  readonly model: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costUsd: string;
  readonly finishReason: string | null;
};

type Stored = { readonly request?: unknown; readonly answer?: unknown };

export function replayRequest(detail: Detail, stored: Stored | undefined): Conversation {
  if (stored === undefined) return newConversation([detail.model]);
  const request = asRecord(stored.request);
  const asked = createTurns();
  for (const instructions of [request.system, request.instructions]) {
    asked.add({ role: "system", content: instructions });
  }
  const { messages: given, input } = request;
  const said = typeof input === "string" ? [{ role: "user", content: input }] : asList(input);
  for (const item of [...asList(given), ...said]) asked.add(item);
  const questions = asked.messages.length;
  for (const item of answerItems(asRecord(stored.answer))) asked.add(item);
  const messages = asked
    .end()
    .map((message, at) => (at < questions ? message : { ...message, run: runOf(detail) }));
  return {
    ...newConversation([detail.model], messages),
    system: asked.system.join("\n\n"),
    parameters: parseParameters(request),
  };
}

/** Of the three protocols: one choice, items of output, or blocks of content. */
function answerItems(answer: Record<string, unknown>): readonly unknown[] {
  const [choice] = asList(answer.choices);
  if (choice !== undefined) return [{ ...asRecord(asRecord(choice).message), role: "assistant" }];
  if (Array.isArray(answer.output)) return answer.output;
  return Array.isArray(answer.content) ? [{ role: "assistant", content: answer.content }] : [];
}

function runOf(detail: Detail): RunFacts {
  const { id, model, promptTokens, completionTokens, costUsd, finishReason } = detail;
  return {
    model,
    generationId: id,
    usage: { promptTokens, completionTokens, costUsd },
    ending: { kind: "complete", finishReason: finishReason ?? undefined },
  };
}

/** Messages in the order in which they were said; results of tools go to their calls. */
function createTurns() {
  const system: string[] = [];
  const messages: Message[] = [];
  const results = new Map<unknown, string>();
  const call = (made: ToolCall) => {
    const last = messages.at(-1);
    if (last?.role === "assistant") {
      messages[messages.length - 1] = { ...last, toolCalls: [...last.toolCalls, made] };
    } else messages.push({ ...newMessage("assistant", ""), toolCalls: [made] });
  };
  return {
    system,
    messages,
    add(value: unknown): void {
      const item = asRecord(value);
      const { role, type, content } = item;
      const text = textOf(content);
      if (type === "function_call") call(callOf(item.call_id, item.name, item.arguments));
      else if (type === "function_call_output") results.set(item.call_id, textOf(item.output));
      else if (role === "tool") results.set(item.tool_call_id, text);
      else if (role === "system" || role === "developer") {
        if (text !== "") system.push(text);
      } else if (role === "user") {
        for (const { tool_use_id: id, content: result } of parts(content, "tool_result")) {
          results.set(id, textOf(result));
        }
        const attachments = attachmentsOf(content);
        if (text !== "" || attachments.length > 0) {
          messages.push(newMessage("user", text, attachments));
        }
      } else if (role === "assistant") {
        const reasoning = item.reasoning_content ?? item.reasoning;
        messages.push({
          ...newMessage("assistant", text),
          reasoning: typeof reasoning === "string" ? reasoning : "",
        });
        for (const made of asList(item.tool_calls).map(asRecord)) {
          const { name, arguments: given } = asRecord(made.function);
          call(callOf(made.id, name, given));
        }
        for (const { id, name, input } of parts(content, "tool_use")) call(callOf(id, name, input));
      }
    },
    end: (): readonly Message[] =>
      messages.map((message) => ({
        ...message,
        toolCalls: message.toolCalls.map((one) => ({
          ...one,
          result: results.get(one.id) ?? "",
        })),
      })),
  };
}

function callOf(id: unknown, name: unknown, given: unknown): ToolCall {
  return {
    id: textOf(id),
    name: textOf(name),
    arguments: typeof given === "string" ? given : JSON.stringify(given ?? {}),
    result: "",
  };
}

function parts(content: unknown, type: string): readonly Record<string, unknown>[] {
  return asList(content)
    .map(asRecord)
    .filter((part) => part.type === type);
}

/** Also of parts, whose other kinds are left out. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const texts = asList(content).map((part) => asRecord(part).text);
  return texts.filter((text) => typeof text === "string").join("\n");
}

const fileKinds = ["image_url", "image", "input_image", "file", "document", "input_file"];

function attachmentsOf(content: unknown): readonly Attachment[] {
  const kinds = asList(content).map((part) => String(asRecord(part).type));
  return kinds
    .filter((kind) => fileKinds.includes(kind))
    .map((kind) =>
      kind.includes("image")
        ? { name: "Image", mimeType: "image/png", dataUrl: "" }
        : { name: "File", mimeType: "application/pdf", dataUrl: "" },
    );
}

/** True if it chose its providers, or other models, in a way for which the Playground has no field. */
export function hasOtherRouting(stored: unknown): boolean {
  const { provider, models } = asRecord(stored);
  const { only, allow_fallbacks: fallsBack, ...others } = asRecord(provider);
  const rules = [
    asList(only).length > 1,
    fallsBack === false,
    ...Object.values(others).map(isAsked),
  ];
  return rules.includes(true) || asList(models).length > 0;
}

/** A default that was written out asks for nothing. */
function isAsked(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== null && value !== false && value !== "allow";
}

function parseParameters(request: Record<string, unknown>): Parameters {
  const number = (...names: string[]) => {
    const found = names.map((name) => request[name]).find((value) => typeof value === "number");
    return found === undefined ? "" : String(found);
  };
  const stop = request.stop ?? request.stop_sequences;
  const format = asRecord(request.response_format ?? asRecord(request.text).format);
  const schema = asRecord(format.json_schema).schema ?? format.schema;
  const effort = request.reasoning_effort ?? asRecord(request.reasoning).effort;
  const [provider, ...others] = asList(asRecord(request.provider).only);
  const tools = asList(request.tools).flatMap((tool) => toolOf(asRecord(tool)));
  return {
    ...noParameters,
    effort: efforts.find((one) => one === effort) ?? "",
    provider: typeof provider === "string" && others.length === 0 ? provider : "",
    temperature: number("temperature"),
    maxTokens: number("max_tokens", "max_completion_tokens", "max_output_tokens"),
    topP: number("top_p"),
    stop: (typeof stop === "string" ? [stop] : asList(stop)).map(String).join("\n"),
    json: format.type === "json_object" || format.type === "json_schema",
    schema: schema === undefined ? "" : JSON.stringify(schema, undefined, 2),
    tools: tools.length === 0 ? "" : JSON.stringify(tools, undefined, 2),
  };
}

/** As chat completions describe a function; tools that a provider runs itself are left out. */
function toolOf(tool: Record<string, unknown>): readonly unknown[] {
  if (typeof asRecord(tool.function).name === "string") return [tool];
  const { name, description, parameters, input_schema: schema } = tool;
  if (typeof name !== "string") return [];
  return [{ type: "function", function: { name, description, parameters: parameters ?? schema } }];
}
