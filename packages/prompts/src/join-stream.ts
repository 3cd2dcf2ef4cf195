// Joins the events of a streamed answer to what a whole answer would say, so that it is redacted as one text: a stream
// divides an address or a key wherever it likes.
import { createSlices, isObject, type JsonObject, parseObject } from "@turnpike/base";

/** `text` may end within an event, which is then left out. */
export async function joinStream(text: string): Promise<JsonObject> {
  const afterWork = createSlices();
  const joined = newJoined();
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const payload = payloadStart(text, start);
    const event = payload === undefined ? undefined : parseObject(text.slice(payload, end));
    if (event !== undefined) add(joined, event);
    const pause = afterWork((end - start) * 2);
    if (pause !== undefined) await pause;
    start = end + 1;
  }
  return describe(joined);
}

/** Of an event in the line at `start`, or of an entry of a list, which Gemini's streams may be. */
function payloadStart(text: string, start: number): number | undefined {
  if (text.startsWith("data:", start)) return start + 5;
  return text.startsWith("[{", start) || text.startsWith(",{", start) ? start + 1 : undefined;
}

type Joined = {
  /** The whole answer, where the stream says it itself. */
  whole: JsonObject | undefined;
  error: unknown;
  readonly head: JsonObject;
  readonly choices: Map<number, JsonObject>;
  /** Of Gemini's responses. */
  readonly candidates: Map<number, JsonObject>;
  /** Of interactions. */
  readonly steps: Map<number, JsonObject>;
  /** Of Anthropic's messages, and of responses that broke off. */
  readonly blocks: Map<number, JsonObject>;
  /** Of the AI SDK's gateway protocol. */
  readonly parts: JsonObject[];
};

function newJoined(): Joined {
  const [choices, candidates, steps, blocks] = [new Map(), new Map(), new Map(), new Map()];
  return {
    whole: undefined,
    error: undefined,
    head: {},
    choices,
    candidates,
    steps,
    blocks,
    parts: [],
  };
}

function describe(joined: Joined): JsonObject {
  const { whole, error, head, choices, candidates, steps, blocks, parts } = joined;
  if (whole !== undefined) return whole;
  const inOrder = (all: ReadonlyMap<number, JsonObject>) =>
    [...all].sort(([one], [other]) => one - other).map(([, value]) => value);
  return {
    ...head,
    ...(choices.size > 0 && { choices: inOrder(choices) }),
    ...(candidates.size > 0 && { candidates: inOrder(candidates) }),
    ...(steps.size > 0 && { steps: inOrder(steps) }),
    ...(blocks.size > 0 && { content: inOrder(blocks) }),
    ...(parts.length > 0 && { content: parts }),
    ...(error !== undefined && { error }),
  };
}

function add(joined: Joined, event: JsonObject): void {
  if (isObject(event.error)) joined.error = event.error;
  const { type } = event;
  if (finishedImage.test(String(type))) addImage(joined, event);
  else if (Array.isArray(event.choices)) addChunk(joined, event, event.choices);
  else if (Array.isArray(event.candidates)) addResponse(joined, event, event.candidates);
  else if (typeof event.event_type === "string") addStepEvent(joined, event);
  else if (typeof type !== "string") return;
  else if (type === "transcript.text.done") joined.whole = event;
  else if (type.startsWith("response.")) addResponseEvent(joined, event, type);
  else if (partTypes.test(type)) addStreamPart(joined, event, type);
  else addMessageEvent(joined, event, type);
}

const finishedImage = /^image_(?:generation|edit)\.completed$/;

/** The last has the usage of all. */
function addImage({ head }: Joined, { type: _, b64_json, usage, ...facts }: JsonObject): void {
  const data: readonly unknown[] = Array.isArray(head.data) ? head.data : [];
  Object.assign(head, facts, { data: [...data, { b64_json }], ...(isObject(usage) && { usage }) });
}

/** Of Gemini's API. */
function addResponse(joined: Joined, response: JsonObject, candidates: readonly unknown[]): void {
  for (const name of ["responseId", "modelVersion", "usageMetadata"]) {
    if (response[name] !== undefined) joined.head[name] = response[name];
  }
  for (const candidate of candidates) {
    if (!isObject(candidate)) continue;
    const index = Number(candidate.index ?? 0);
    const known = entryOf(joined.candidates, index, () => ({ index, content: { parts: [] } }));
    if (candidate.finishReason) known.finishReason = candidate.finishReason;
    const { parts } = memberOf(known, "content");
    const added = isObject(candidate.content) ? candidate.content.parts : undefined;
    if (!Array.isArray(parts) || !Array.isArray(added)) continue;
    for (const part of added) if (isObject(part)) addPart(parts, part);
  }
}

function addPart(parts: unknown[], part: JsonObject): void {
  const last = parts.at(-1);
  const isMore = isObject(last) && last.thought === part.thought && typeof last.text === "string";
  if (isMore && typeof part.text === "string") append(last, "text", part.text);
  else parts.push({ ...part });
}

/** Of the Interactions API. */
function addStepEvent(joined: Joined, { interaction, step, delta, index: at }: JsonObject): void {
  if (isObject(interaction)) Object.assign(joined.head, interaction);
  const index = Number(at ?? 0);
  if (isObject(step)) joined.steps.set(index, { ...step });
  if (!isObject(delta)) return;
  const known = entryOf(joined.steps, index, () => ({}));
  if (typeof delta.arguments === "string") {
    if (typeof known.arguments !== "string") known.arguments = "";
    append(known, "arguments", delta.arguments);
  } else if (delta.type === "image") known.image = delta;
  else append(known, "text", isObject(delta.content) ? delta.content.text : delta.text);
}

/** Of chat completions, and of the older completions. */
function addChunk(joined: Joined, chunk: JsonObject, choices: readonly unknown[]): void {
  for (const name of ["id", "model", "usage"]) {
    if (chunk[name] !== undefined && chunk[name] !== null) joined.head[name] = chunk[name];
  }
  for (const choice of choices) {
    if (!isObject(choice)) continue;
    const index = Number(choice.index ?? 0);
    const known = entryOf(joined.choices, index, () => ({ index }));
    append(known, "text", choice.text);
    if (isObject(choice.delta)) addDelta(memberOf(known, "message"), choice.delta);
    if (choice.finish_reason) known.finish_reason = choice.finish_reason;
  }
}

function addDelta(message: JsonObject, delta: JsonObject): void {
  if (typeof delta.role === "string") message.role = delta.role;
  for (const name of ["content", "reasoning", "reasoning_content", "refusal"]) {
    append(message, name, delta[name]);
  }
  if (isObject(delta.audio))
    append(memberOf(message, "audio"), "transcript", delta.audio.transcript);
  if (!Array.isArray(delta.tool_calls)) return;
  message.tool_calls ??= [];
  for (const call of delta.tool_calls) {
    if (isObject(call)) addToolCall(message.tool_calls, call);
  }
}

function addToolCall(calls: unknown, call: JsonObject): void {
  if (!Array.isArray(calls)) return;
  const index = Number(call.index ?? calls.length);
  let known: unknown = calls.find((one: unknown) => isObject(one) && one.index === index);
  if (!isObject(known)) {
    known = { index, id: call.id, type: "function" };
    calls.push(known);
  }
  if (!isObject(known) || !isObject(call.function)) return;
  const named = memberOf(known, "function");
  append(named, "name", call.function.name);
  append(named, "arguments", call.function.arguments);
}

const partTypes =
  /^(?:(?:text|reasoning)-(?:start|delta)|tool-call|file|finish|response-metadata)$/;

/** Of the AI SDK, without what the provider needs back. */
function addStreamPart({ head, parts }: Joined, event: JsonObject, type: string): void {
  const { providerMetadata: _, ...part } = event;
  const [kind, step] = type.split("-");
  const last = parts.at(-1);
  if (step === "start") parts.push({ type: kind });
  else if (step === "delta" && last !== undefined) append(last, "text", event.delta);
  else if (type === "tool-call" || type === "file") parts.push(part);
  else if (type === "response-metadata") Object.assign(head, { id: part.id, model: part.modelId });
  else if (type === "finish") {
    Object.assign(head, { finishReason: part.finishReason, usage: part.usage });
  }
}

function addMessageEvent(joined: Joined, event: JsonObject, type: string): void {
  const { message, delta } = event;
  const index = Number(event.index ?? 0);
  if (type === "message_start" && isObject(message)) {
    Object.assign(joined.head, { ...message, content: undefined });
  } else if (type === "content_block_start" && isObject(event.content_block)) {
    joined.blocks.set(index, { ...event.content_block });
  } else if (type === "content_block_delta" && isObject(delta)) {
    const block = entryOf(joined.blocks, index, () => ({}));
    append(block, "text", delta.text);
    append(block, "thinking", delta.thinking);
    if (typeof delta.partial_json === "string") {
      if (typeof block.input !== "string") block.input = "";
      append(block, "input", delta.partial_json);
    }
  } else if (type === "message_delta" && isObject(delta)) Object.assign(joined.head, delta);
}

const responseEnds = ["response.completed", "response.incomplete", "response.failed"];

function addResponseEvent(joined: Joined, event: JsonObject, type: string): void {
  if (responseEnds.includes(type) && isObject(event.response)) joined.whole = event.response;
  else if (type === "response.output_item.done" && isObject(event.item)) {
    joined.blocks.set(Number(event.output_index ?? 0), event.item);
  } else if (type.endsWith(".delta") && typeof event.delta === "string") {
    const block = entryOf(joined.blocks, Number(event.output_index ?? 0), () => ({}));
    append(block, type.slice("response.".length, -".delta".length), event.delta);
  }
}

function entryOf(
  all: Map<number, JsonObject>,
  index: number,
  create: () => JsonObject,
): JsonObject {
  const known = all.get(index) ?? create();
  all.set(index, known);
  return known;
}

function memberOf(object: JsonObject, name: string): JsonObject {
  const known = object[name];
  if (isObject(known)) return known;
  const created: JsonObject = {};
  object[name] = created;
  return created;
}

function append(object: JsonObject, name: string, text: unknown): void {
  if (typeof text !== "string" || text === "") return;
  const before = object[name];
  object[name] = (typeof before === "string" ? before : "") + text;
}
