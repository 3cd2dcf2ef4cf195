// A paid endpoint: its path and its protocol, and nothing more.
import type { ParsedRequest, Protocol } from "@turnpike/wire";
import type { Elysia } from "elysia";
import type { HttpListener } from "../listen.ts";
import type { Services } from "../services.ts";
import { newAnswer } from "./answer-fault.ts";
import type { Authenticate } from "./authenticate-request.ts";
import { handleCall } from "./handle-call.ts";
import { registerRoute } from "./route.ts";

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
): void {
  const { operation, errors } = protocol;
  registerRoute(app, services, path, {
    async POST(request, ids) {
      const userAgent = (request.headers.get("user-agent") ?? "").slice(0, userAgentMaxChars);
      const call = { ...ids, userAgent, operation, errors };
      const route = { protocol, call, authenticate };
      const { body, headers } = await handleCall(services, listener, request, route);
      const own = errors.idHeaders?.(ids.requestId);
      return newAnswer(ids, body, own === undefined ? headers : { ...headers, ...own });
    },
  });
}
