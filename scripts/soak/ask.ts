// One call as a client makes it, and what the client can prove afterwards: a complete answer, a refusal, a
// connection that broke, or that it left. A call is sent once; nothing here repeats it.
import type { Call, Protocol } from "./plan-call.ts";

export type Outcome =
  | { readonly kind: "complete" }
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly code: string;
      /** Its message says that nothing was charged. */
      readonly saysFree: boolean;
    }
  | { readonly kind: "cut" }
  | { readonly kind: "left" };

function pathOf({ protocol, model, streamed }: Call): string {
  switch (protocol) {
    case "chat":
      return "/v1/chat/completions";
    case "gemini": {
      const method = streamed ? "streamGenerateContent?alt=sse" : "generateContent";
      return `/v1beta/models/${model.id}:${method}`;
    }
    default:
      return `/v1/${protocol}`;
  }
}

/** Matches the end of a complete stream. */
const streamEnds = {
  chat: /^data: \[DONE\]$/m,
  responses: /^event: response\.(?:completed|incomplete)$/m,
  messages: /^event: message_stop$/m,
  // Its last event is the last of the answer.
  gemini: /^data: .*"finishReason":.*\n+(?![\s\S])/m,
  embeddings: /$/,
} as const satisfies Record<Protocol, RegExp>;

const givesUpAfterMs = 120_000;

/** Never throws: a broken connection is an outcome. */
export async function ask(url: string, call: Call): Promise<Outcome> {
  const leaving = new AbortController();
  const timer = setTimeout(() => leaving.abort(), call.leaveAfterMs ?? givesUpAfterMs);
  let response: Response;
  let text = "";
  try {
    response = await fetch(`${url}${pathOf(call)}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${call.key}`,
        "content-type": "application/json",
        "user-agent": call.name,
      },
      body: call.body,
      signal: leaving.signal,
      // On a kept connection that breaks, Bun would send the call again.
      keepalive: false,
    });
    text = await response.text();
  } catch {
    return { kind: leaving.signal.aborted ? "left" : "cut" };
  } finally {
    clearTimeout(timer);
  }
  if (response.status !== 200) {
    const saysFree = /nothing was charged/i.test(text);
    return { kind: "refused", status: response.status, code: codeOf(text), saysFree };
  }
  return { kind: isComplete(call, text) ? "complete" : "cut" };
}

function isComplete({ streamed, protocol }: Call, text: string): boolean {
  if (streamed) return streamEnds[protocol].test(text) && text.endsWith("\n\n");
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function codeOf(text: string): string {
  return (
    /"code":\s*"([a-z_]+)"/.exec(text)?.[1] ??
    /"(?:type|reason)":\s*"(\w+_error|[A-Z_]+)"/.exec(text)?.[1] ??
    ""
  );
}
