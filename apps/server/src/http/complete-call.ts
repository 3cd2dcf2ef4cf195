// What both doors to a completion share: how much a body may be, and which silence is whose. While the
// answer is in the making it is ours; once it is there, a client that does not read it is let go.
import { type ChatAnswer, type ChatCall, completeChat } from "@turnpike/gateway";
import type { Listener } from "../listen.ts";
import type { Services } from "../services.ts";
import { readBody } from "./read-body.ts";

const bodyMaxBytes = 20 * 1024 * 1024;

/** Answers the call in `request`, or rejects with the Fault to answer it with. */
export async function completeCall(
  { gateway }: Services,
  { server, idleSeconds, keepUntilSent }: Listener,
  request: Request,
  call: Omit<ChatCall, "readBody" | "signal">,
): Promise<ChatAnswer> {
  try {
    const answer = await completeChat(gateway, {
      ...call,
      signal: request.signal,
      async readBody() {
        const body = await readBody(request, bodyMaxBytes);
        // Bun spares a waiting POST as it is, which it may not always (Bun PR 33612).
        server().timeout(request, 0);
        return body;
      },
    });
    return { ...answer, body: keepUntilSent(request, answer.body) };
  } finally {
    // After a refusal too: a connection left at 0 would be kept for ever.
    server().timeout(request, idleSeconds);
  }
}
