// Registers the endpoints that call a model: OpenAI's chat, responses, completions (its older endpoint, answered by chat
// models) and embeddings, and Anthropic's messages; and those that estimate or count a call without running it.
import { countTokens } from "@turnpike/gateway";
import {
  asOpenRouter,
  chatProtocol,
  completionsProtocol,
  embeddingsProtocol,
  messagesProtocol,
  parseCountRequest,
} from "@turnpike/wire";
import type { Elysia } from "elysia";
import { answerJson, registerRoute } from "../routes/route.ts";
import { registerEstimate } from "./estimate.ts";
import { measureCall } from "./measure-call.ts";
import { type CallContext, registerProtocol } from "./protocol-route.ts";
import { registerResponses } from "./responses.ts";

export function registerCalls(app: Pick<Elysia, "all">, context: CallContext): void {
  registerProtocol(app, context, "/v1/chat/completions", chatProtocol, asOpenRouter(chatProtocol));
  registerResponses(app, context);
  registerProtocol(
    app,
    context,
    "/v1/completions",
    completionsProtocol,
    asOpenRouter(completionsProtocol),
  );
  registerEstimate(app, context);
  registerProtocol(app, context, "/v1/embeddings", embeddingsProtocol);
  registerProtocol(app, context, "/v1/messages", messagesProtocol);
  registerCountTokens(app, context);
}

/** `POST /v1/messages/count_tokens`, which counts a prompt by the catalog's own tokenizers. */
function registerCountTokens(app: Pick<Elysia, "all">, context: CallContext): void {
  const { gateway } = context.services;
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
