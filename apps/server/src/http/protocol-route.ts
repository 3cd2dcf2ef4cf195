// A paid endpoint: its path and its protocol, which may be another under OpenRouter's base path.
import type { ParsedRequest, Protocol } from "@turnpike/wire";
import type { Elysia } from "elysia";
import type { HttpListener } from "../listen.ts";
import type { Services } from "../services.ts";
import { newAnswer } from "./answer-fault.ts";
import type { Authenticate } from "./authenticate-request.ts";
import { handleCall } from "./handle-call.ts";
import { type Methods, registerRoute } from "./route.ts";

const userAgentMaxChars = 200;

export type CallContext = {
  readonly services: Services;
  readonly authenticate: Authenticate;
  readonly listener: HttpListener;
};

export function registerProtocol<Request extends ParsedRequest>(
  app: Pick<Elysia, "all">,
  { services, authenticate, listener }: CallContext,
  path: string,
  protocol: Protocol<Request>,
  atOpenRouter: Protocol<Request> = protocol,
): void {
  const methodsOf = (served: Protocol<Request>): Methods => ({
    async POST(request, ids) {
      const { operation, errors } = served;
      const userAgent = (request.headers.get("user-agent") ?? "").slice(0, userAgentMaxChars);
      const call = { ...ids, userAgent, operation, errors };
      const route = { protocol: served, call, authenticate };
      const { body, headers } = await handleCall(services, listener, request, route);
      const own = errors.idHeaders?.(ids.requestId);
      return newAnswer(ids, body, own === undefined ? headers : { ...headers, ...own });
    },
  });
  registerRoute(app, services, path, methodsOf(protocol), methodsOf(atOpenRouter));
}
