// `POST /v1/chat/completions` and `POST /v1/embeddings`: each endpoint is its protocol and nothing
// more.
import {
  chatProtocol,
  embeddingsProtocol,
  type ParsedRequest,
  type Protocol,
} from "@turnpike/wire";
import type { Elysia } from "elysia";
import type { Listener } from "../listen.ts";
import type { Services } from "../services.ts";
import { newAnswer } from "./answer-fault.ts";
import type { Authenticate } from "./authenticate-request.ts";
import { completeCall } from "./complete-call.ts";
import { type Handle, registerRoute } from "./route.ts";

const userAgentMaxChars = 200;

export function registerCompletions(
  app: Pick<Elysia, "all">,
  services: Services,
  authenticate: Authenticate,
  listener: Listener,
): void {
  function answer<Request extends ParsedRequest>(protocol: Protocol<Request>): Handle {
    return async (request, ids) => {
      const userAgent = (request.headers.get("user-agent") ?? "").slice(0, userAgentMaxChars);
      const call = { ...ids, userAgent, operation: protocol.operation };
      const route = { protocol, call, authenticate };
      const { body, headers } = await completeCall(services, listener, request, route);
      return newAnswer(ids, body, headers);
    };
  }
  registerRoute(app, services, "/v1/chat/completions", { POST: answer(chatProtocol) });
  registerRoute(app, services, "/v1/embeddings", { POST: answer(embeddingsProtocol) });
}
