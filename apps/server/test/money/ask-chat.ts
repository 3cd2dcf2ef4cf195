// A client that may disconnect at any moment, and what it had received by then. It names itself in its
// user agent, so that its request is found in the books even if it disconnected before the headers.
import { scriptedToken } from "@turnpike/testing";
import { asObject, at, type JsonObject, postChat, withoutComments } from "../harness/index.ts";

export type Leave = { readonly afterMs: number } | { readonly afterBytes: number };

export type Asking = {
  readonly key: string;
  readonly body: JsonObject;
  /** Also the `user_agent` of the request's row. */
  readonly name: string;
  readonly leave?: Leave;
  /** Another way to disconnect: when the test aborts it. */
  readonly signal?: AbortSignal;
  /** Called with everything received so far, after each read. */
  readonly onText?: (text: string) => void;
};

export type Received = {
  /** Undefined if the client disconnected, or was cut off, before the status line. */
  readonly status: number | undefined;
  readonly headers: Headers;
  /** Everything received, complete or not. */
  readonly text: string;
  /** True after `[DONE]`, or after a whole JSON body with status 200. */
  readonly complete: boolean;
  /** Output tokens in complete events. */
  readonly tokens: number;
  readonly usage: JsonObject | undefined;
  /** From a refusal, or from the event that ended a stream. */
  readonly error: JsonObject | undefined;
};

type Progress = { status: number | undefined; headers: Headers; text: string };

/** Never throws for a broken connection: that is an outcome like any other. */
export async function askChat(server: { readonly baseUrl: string }, asking: Asking) {
  const { leave } = asking;
  const controller = new AbortController();
  const leaveAt = leave !== undefined && "afterBytes" in leave ? leave.afterBytes : undefined;
  const timer =
    leave !== undefined && "afterMs" in leave
      ? setTimeout(() => controller.abort(), leave.afterMs)
      : undefined;
  const progress: Progress = { status: undefined, headers: new Headers(), text: "" };
  try {
    await receive(server, asking, controller, { progress, leaveAt });
  } catch {
    // Aborted by this client, or reset by the server: `progress` says how far it got.
  } finally {
    clearTimeout(timer);
  }
  return readProgress(progress, asking.body.stream === true);
}

async function receive(
  server: { readonly baseUrl: string },
  asking: Asking,
  controller: AbortController,
  { progress, leaveAt }: { progress: Progress; leaveAt: number | undefined },
): Promise<void> {
  const response = await postChat(server, asking.key, asking.body, {
    headers: { "user-agent": asking.name },
    signal: AbortSignal.any([controller.signal, ...(asking.signal ? [asking.signal] : [])]),
  });
  progress.status = response.status;
  progress.headers = response.headers;
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    progress.text += decoder.decode(chunk, { stream: true });
    asking.onText?.(progress.text);
    if (leaveAt !== undefined && progress.text.length >= leaveAt) controller.abort();
  }
}

function readProgress(progress: Progress, streamed: boolean): Received {
  const { status, headers, text } = progress;
  const nothing = { status, headers, text, complete: false, tokens: 0 };
  if (status === undefined) return { ...nothing, usage: undefined, error: undefined };
  if (streamed && status === 200) return { ...nothing, ...readStreamed(text) };
  const body = parseObject(text);
  return {
    ...nothing,
    complete: status === 200 && body !== undefined,
    tokens: status === 200 ? countTokens(body) : 0,
    usage: objectAt(body, "usage"),
    error: objectAt(body, "error"),
  };
}

function readStreamed(text: string) {
  let tokens = 0;
  let usage: JsonObject | undefined;
  let error: JsonObject | undefined;
  let complete = false;
  // After the last blank line there is an event that the client received only in part.
  for (const event of withoutComments(text).split("\n\n").slice(0, -1)) {
    if (event === "data: [DONE]") complete = true;
    const parsed = event.startsWith("data: {") ? parseObject(event.slice(6)) : undefined;
    if (parsed === undefined) continue;
    tokens += countTokens(parsed);
    usage = objectAt(parsed, "usage") ?? usage;
    error = objectAt(parsed, "error") ?? error;
  }
  return { tokens, usage, error, complete };
}

/** Scripted tokens in all choices of a chunk or a whole answer. */
function countTokens(body: unknown): number {
  const choices = at(body, "choices");
  if (!Array.isArray(choices)) return 0;
  let tokens = 0;
  for (const choice of choices) {
    const said = at(choice, "delta") ?? at(choice, "message");
    // `reasoning` repeats `reasoning_content` for clients that know only the other name.
    for (const field of ["content", "reasoning_content"]) {
      const text = at(said, field);
      if (typeof text === "string") tokens += text.split(scriptedToken).length - 1;
    }
  }
  return tokens;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function objectAt(value: unknown, path: string): JsonObject | undefined {
  const inner = at(value, path);
  return typeof inner === "object" && inner !== null ? asObject(inner) : undefined;
}
