// A client of any operation that may be cut off at any moment, and what it had received by then. It names itself in its user
// agent, by which its row is found, and its operation in its text, by which its upstream finds the script.
import type { Script, ScriptedUpstream } from "@turnpike/testing";
import type { TestServer } from "../harness/index.ts";
import { type OperationCase, operationCases } from "./operation-cases.ts";

export type OperationName = keyof typeof operationCases;

/** The cast is safe: the keys of an object literal that nothing extends are those of its type. */
export const operationNames = Object.keys(operationCases) as OperationName[];

export type AskingOperation = {
  readonly operation: OperationName;
  readonly key: string;
  /** Also the `user_agent` of the request's row. */
  readonly name: string;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /** Called with everything received so far, after each read. */
  readonly onText?: (text: string) => void;
};

export type OperationReceived = {
  /** Undefined if the connection broke before the status line. */
  readonly status: number | undefined;
  readonly headers: Headers;
  /** Byte by byte. */
  readonly text: string;
  /** Whether it has the whole answer, and no error. */
  readonly isComplete: boolean;
};

/** Spoken for seconds, so that speech has several pieces. */
const words = "a lighthouse on a long grey coast";

/** What the upstream does is not said in the text, so that every call of an operation has the same text, and the same price. */
export function scriptOperations(upstream: ScriptedUpstream): Map<string, Script> {
  const scripts = new Map<string, Script>();
  upstream.script(({ chat }) => scripts.get(/<([^<>]*)>/.exec(chat.lastUserText)?.[1] ?? ""));
  return scripts;
}

/** Never throws for a broken connection: that is an outcome like any other. */
export async function askOperation(
  { url }: Pick<TestServer, "url">,
  asking: AskingOperation,
): Promise<OperationReceived> {
  const { operation, key, name, idempotencyKey, signal, onText } = asking;
  const { path, body, end }: OperationCase = operationCases[operation];
  const sent = body(`${words} <${operation}>`);
  const isForm = sent instanceof FormData;
  const progress = { status: 0, headers: new Headers(), text: "" };
  try {
    const response = await fetch(`${url}${path.startsWith("/v1beta") ? "" : "/v1"}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "user-agent": name,
        ...(!isForm && { "content-type": "application/json" }),
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      },
      body: isForm ? sent : JSON.stringify(sent),
      ...(signal && { signal }),
    });
    progress.status = response.status;
    progress.headers = response.headers;
    for await (const chunk of response.body ?? []) {
      progress.text += Buffer.from(chunk).toString("latin1");
      onText?.(progress.text);
    }
  } catch {
    const { status, ...others } = progress;
    return { ...others, status: status === 0 ? undefined : status, isComplete: false };
  }
  const { status, text } = progress;
  return { ...progress, isComplete: status === 200 && (end === undefined || text.includes(end)) };
}
