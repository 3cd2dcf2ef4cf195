// One payload of a streamed completion: what it adds to the answer. Unknown parts are skipped, so
// that an upstream's own additions do no harm.

export type Usage = {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** An exact decimal: the number on the wire has at most nine digits after the point. */
  readonly costUsd: string | undefined;
};

export type ToolCallDelta = {
  readonly index: number;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly arguments: string;
};

export type ChunkError = {
  readonly code: string;
  readonly message: string;
  readonly metadata: Readonly<Record<string, unknown>>;
};

export type Chunk = {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCallDelta[];
  readonly finishReason: string | undefined;
  readonly usage: Usage | undefined;
  readonly error: ChunkError | undefined;
};

export function parseChunk(payload: string): Chunk {
  const chunk = asRecord(parse(payload));
  const choice = asRecord(asList(chunk.choices)[0]);
  const delta = asRecord(choice.delta);
  return {
    text: asText(delta.content) ?? "",
    reasoning: asText(delta.reasoning_content) ?? asText(delta.reasoning) ?? "",
    toolCalls: asList(delta.tool_calls).map(parseToolCall),
    finishReason: asText(choice.finish_reason),
    usage: isRecord(chunk.usage) ? parseUsage(chunk.usage) : undefined,
    error: chunk.error ? parseError(chunk.error) : undefined,
  };
}

/** The `error` of a refusal or of an event, as `/v1` writes it. */
export function parseError(error: unknown): ChunkError {
  const { code, message, type, metadata } = asRecord(error);
  return {
    code: asText(code) ?? asText(type) ?? "internal_error",
    message: asText(message) ?? "",
    metadata: asRecord(metadata),
  };
}

function parseToolCall(value: unknown): ToolCallDelta {
  const call = asRecord(value);
  const made = asRecord(call.function);
  return {
    index: typeof call.index === "number" ? call.index : 0,
    id: asText(call.id),
    name: asText(made.name),
    arguments: asText(made.arguments) ?? "",
  };
}

function parseUsage(usage: Record<string, unknown>): Usage {
  return {
    promptTokens: asCount(usage.prompt_tokens),
    completionTokens: asCount(usage.completion_tokens),
    costUsd: typeof usage.cost === "number" ? usage.cost.toFixed(nanoDecimals) : undefined,
  };
}

/** Charges are whole nano-dollars: this many decimals represent a number on the wire exactly. */
const nanoDecimals = 9;

function parse(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function asCount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
