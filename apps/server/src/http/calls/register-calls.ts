// Registers the endpoints that call a model: OpenAI's chat, responses, completions (its older endpoint, answered by chat
// models) and embeddings, Anthropic's messages, Gemini's generateContent, the AI SDK's gateway, images, audio, reranking and moderations; and those
// that estimate or count a call without running it.
import { countTokens } from "@turnpike/gateway";
import {
  asOpenRouter,
  chatProtocol,
  completionsProtocol,
  embeddingsProtocol,
  imageEditsProtocol,
  imagesProtocol,
  messagesProtocol,
  moderationProtocol,
  parseCountRequest,
  rerankProtocol,
  speechProtocol,
  transcriptionProtocol,
  translationProtocol,
} from "@turnpike/wire";
import type { Elysia } from "elysia";
import { answerJson, registerPath, registerRoute } from "../routes/route.ts";
import { registerAiGateway } from "./ai-gateway.ts";
import { registerEstimate } from "./estimate.ts";
import { registerGemini } from "./gemini.ts";
import { registerInteractions } from "./interactions.ts";
import { measureCall } from "./measure-call.ts";
import { type CallContext, createCallHandle } from "./protocol-route.ts";
import { registerProtocol } from "./register-protocol.ts";
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
  registerProtocol(app, context, "/v1/images/generations", imagesProtocol);
  registerProtocol(app, context, "/v1/images/edits", imageEditsProtocol);
  // OpenRouter's path, for new images and edits alike.
  registerProtocol(app, context, "/v1/images", imagesProtocol);
  registerProtocol(app, context, "/v1/moderations", moderationProtocol);
  registerProtocol(app, context, "/v1/audio/speech", speechProtocol);
  registerProtocol(app, context, "/v1/audio/transcriptions", transcriptionProtocol);
  registerProtocol(app, context, "/v1/audio/translations", translationProtocol);
  registerProtocol(app, context, "/v1/rerank", rerankProtocol);
  // Cohere's SDKs append their own version to the base URL, with `/v1` in it or not.
  registerProtocol(app, context, "/v1/v2/rerank", rerankProtocol);
  const rerank = { POST: createCallHandle(context, rerankProtocol) };
  registerPath(app, context.services, "/v2/rerank", rerank);
  registerCountTokens(app, context);
  registerGemini(app, context);
  registerAiGateway(app, context);
  registerInteractions(app, context);
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
