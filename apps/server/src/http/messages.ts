// `POST /v1/messages`, Anthropic's chat, and `POST /v1/messages/count_tokens`, which counts a prompt by the
// catalogue's own tokenisers.
import { admitCall, countTokens } from "@turnpike/gateway";
import { messagesProtocol, parseCountRequest } from "@turnpike/wire";
import type { Elysia } from "elysia";
import type { CallIds } from "./answer-fault.ts";
import { type CallContext, registerProtocol } from "./protocol-route.ts";
import { bodyMaxBytes, declaredBytes, readBody } from "./read-body.ts";
import { answerJson, registerRoute } from "./route.ts";

export function registerMessages(app: Pick<Elysia, "all">, context: CallContext): void {
  registerProtocol(app, context, "/v1/messages", messagesProtocol);
  registerRoute(app, context.services, "/v1/messages/count_tokens", {
    POST: (request, ids) => answerCount(context, request, ids),
  });
}

async function answerCount(
  { services: { gateway }, authenticate }: CallContext,
  request: Request,
  ids: CallIds,
): Promise<Response> {
  await admitCall(gateway);
  const principal = await authenticate(request);
  gateway.countBudget.refuseSpent(principal.accountId);
  const place = gateway.limiter.enter(principal, declaredBytes(request, bodyMaxBytes));
  try {
    const text = await readBody(request, bodyMaxBytes, { place });
    const asked = parseCountRequest(text, request.headers);
    place.countParsed(asked.parsedBytes ?? 0);
    const { promptTokens, headers } = await countTokens(gateway, principal, asked, request.signal);
    const idHeaders = messagesProtocol.errors.idHeaders?.(ids.requestId);
    return answerJson(ids, { input_tokens: promptTokens }, { ...headers, ...idHeaders });
  } finally {
    place.leave();
  }
}
