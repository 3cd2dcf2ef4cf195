// A conversation of the Playground and the request it makes, independent of the page and the network.
import type { Answers } from "../../../lib/api.ts";
import { asRecord, type Usage } from "../../../product/completions/parse-chunk.ts";
import type { Ending } from "../../../product/completions/run-completion.ts";
import { type Attachment, partsOf } from "../composer/attachments.ts";
import { responseFormatOf } from "../parameters/schema-problem.ts";

export type Model = Answers["models"]["list"][number];

export type ToolCall = {
  readonly id: string;
  readonly name: string;
  /** JSON as the model wrote it, possibly broken. */
  readonly arguments: string;
  /** The tool's result, entered by the person. */
  readonly result: string;
};

/** Timing and cost of an answer. */
export type RunFacts = {
  readonly model: string;
  readonly generationId?: string | undefined;
  readonly firstTokenMs?: number | undefined;
  readonly totalMs?: number | undefined;
  readonly usage?: Usage | undefined;
  /** Absent while it runs. */
  readonly ending?: Ending | undefined;
  /** For an interrupted answer, whose cost only Logs know. */
  readonly charge?: "asked" | "known";
  /** The JSON Schema that was asked for. */
  readonly schema?: string | undefined;
};

export type Message = {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  /** Of a person's message. */
  readonly attachments: readonly Attachment[];
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  readonly run: RunFacts | undefined;
};

/** As typed: an empty field is not sent. */
/** How much a model may think, as `reasoning_effort` of a request; empty for the model's default. */
export const efforts = ["", "minimal", "low", "medium", "high"] as const;

export type Parameters = {
  readonly effort: (typeof efforts)[number];
  /** The only provider that may serve the request; empty for any. */
  readonly provider: string;
  readonly temperature: string;
  readonly maxTokens: string;
  readonly topP: string;
  /** One per line. */
  readonly stop: string;
  readonly json: boolean;
  /** A JSON Schema; used in JSON mode. */
  readonly schema: string;
  /** A JSON array. */
  readonly tools: string;
  /** The result to begin with, by the name of the tool. */
  readonly mocks: Readonly<Record<string, string>>;
};

/** What one model was asked and answered. */
export type Thread = {
  readonly id: string;
  readonly model: string;
  readonly messages: readonly Message[];
};

/** The threads get the same questions with the same settings; a chat has one, a comparison several. */
export type Conversation = {
  readonly id: string;
  /** Given by a person; without it the first words are the title. */
  readonly name?: string | undefined;
  readonly updatedAt: number;
  readonly system: string;
  readonly parameters: Parameters;
  readonly threads: readonly Thread[];
};

/** Of a comparison. */
export const columnsMax = 4;

export type Asked = Pick<Thread, "model" | "messages"> &
  Pick<Conversation, "system" | "parameters">;

export const noParameters: Parameters = {
  effort: "",
  provider: "",
  temperature: "",
  maxTokens: "",
  topP: "",
  stop: "",
  json: false,
  schema: "",
  tools: "",
  mocks: {},
};

export function newThread(model: string, messages: readonly Message[] = []): Thread {
  return { id: crypto.randomUUID(), model, messages };
}

export function newConversation(
  models: readonly string[],
  messages: readonly Message[] = [],
): Conversation {
  return {
    id: crypto.randomUUID(),
    updatedAt: Date.now(),
    system: "",
    parameters: noParameters,
    threads: models.map((model) => newThread(model, messages)),
  };
}

export function newMessage(
  role: Message["role"],
  text: string,
  attachments: readonly Attachment[] = [],
): Message {
  const id = crypto.randomUUID();
  return { id, role, text, attachments, reasoning: "", toolCalls: [], run: undefined };
}

/** Nothing has arrived of the answer. */
export function isEmpty(said: Pick<Message, "text" | "reasoning" | "toolCalls">): boolean {
  return said.text === "" && said.reasoning === "" && said.toolCalls.length === 0;
}

/** A chat-completions body; what `stream` adds is omitted, so that "View code" stays short. */
export function requestOf(asked: Asked, model: Model | undefined) {
  const { system, messages, parameters } = asked;
  return {
    model: asked.model,
    messages: [
      ...(system.trim() === "" ? [] : [{ role: "system", content: system }]),
      ...messages.flatMap(requestMessages),
    ],
    ...sentParameters(parameters, model),
  };
}

function requestMessages(message: Message): readonly Record<string, unknown>[] {
  if (message.role === "user") return [{ role: "user", content: contentOf(message) }];
  const { toolCalls, text } = message;
  if (toolCalls.length === 0) return text === "" ? [] : [{ role: "assistant", content: text }];
  return [
    {
      role: "assistant",
      content: text === "" ? null : text,
      tool_calls: toolCalls.map((call) => ({
        id: call.id,
        type: "function",
        function: { name: call.name, arguments: call.arguments },
      })),
    },
    // Each call needs its answer, or the request is refused.
    ...toolCalls.map(({ id, result }) => ({ role: "tool", tool_call_id: id, content: result })),
  ];
}

function contentOf({ text, attachments }: Message) {
  const parts = partsOf(attachments);
  return parts.length === 0 ? text : [{ type: "text", text }, ...parts];
}

function sentParameters(parameters: Parameters, model: Model | undefined) {
  const stop = stopsOf(parameters.stop);
  const tools = can(model, "tools") ? parseTools(parameters.tools) : undefined;
  return {
    ...(model?.providers.includes(parameters.provider) && {
      provider: { only: [parameters.provider] },
    }),
    ...(parameters.effort !== "" &&
      can(model, "reasoning") && { reasoning_effort: parameters.effort }),
    ...(parameters.temperature !== "" && { temperature: Number(parameters.temperature) }),
    ...(parameters.maxTokens !== "" && { max_tokens: Number(parameters.maxTokens) }),
    ...(parameters.topP !== "" && { top_p: Number(parameters.topP) }),
    ...(stop.length > 0 && { stop }),
    ...(parameters.json &&
      can(model, "json_schema") && { response_format: responseFormatOf(parameters.schema) }),
    ...(tools !== undefined && tools.length > 0 && { tools }),
  };
}

export function stopsOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** Undefined if it is not a JSON array. */
export function parseTools(text: string): readonly unknown[] | undefined {
  if (text.trim() === "") return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function toolNames(text: string): readonly string[] {
  return (parseTools(text) ?? []).flatMap((tool) => {
    const { name } = asRecord(asRecord(tool).function);
    return typeof name === "string" && name !== "" ? [name] : [];
  });
}

export type Capability = Model["capabilities"][number];

export function can(model: Model | undefined, capability: Capability): boolean {
  return model?.capabilities.includes(capability) ?? false;
}

/** Of a name and of a file. */
export const nameCharsMax = 120;

/** In lists and as the name of a file. */
export function titleOf({ name, threads }: Conversation): string {
  const [first = ""] = (threads[0]?.messages[0]?.text ?? "").trim().split(/[\r\n]/);
  // One line of whole characters: the server takes no others as a title.
  const line = first
    .replace(/\p{Cc}+/gu, " ")
    .toWellFormed()
    .slice(0, nameCharsMax);
  return name || line.replace(/[\uD800-\uDBFF]$/, "").trim() || "Untitled";
}

export function hasMessages({ threads }: Pick<Conversation, "threads">): boolean {
  return threads.some(({ messages }) => messages.length > 0);
}
