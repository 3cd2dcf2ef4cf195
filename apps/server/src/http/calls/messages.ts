// `POST /v1/messages`, Anthropic's chat, and `POST /v1/messages/count_tokens`, which counts a prompt by the
// catalog's own tokenizers.
import { countTokens } from "@turnpike/gateway";
import { messagesProtocol, parseCountRequest } from "@turnpike/wire";
import type { Elysia } from "elysia";
import { answerJson, registerRoute } from "../routes/route.ts";
import { measureCall } from "./measure-call.ts";
import { type CallContext, registerProtocol } from "./protocol-route.ts";

export function registerMessages(app: Pick<Elysia, "all">, context: CallContext): void {
  const { gateway } = context.services;
  registerProtocol(app, context, "/v1/messages", messagesProtocol);
  registerRoute(app, context.services, "/v1/messages/count_tokens", {
    async POST(request, ids) {
      const { promptTokens, headers } = await measureCall(context, request, (call) => {
        const parsed = call.parse((text) => parseCountRequest(text, request.headers));
        const { principal } = call;
        return countTokens({ gateway, principal, request: parsed, signal: request.signal });
      });
      const idHeaders = messagesProtocol.errors.idHeaders?.(ids.requestId);
      return answerJson(ids, { input_tokens: promptTokens }, { ...headers, ...idHeaders });
    },
  });
}
