// Registers a paid endpoint: its path and its protocol, which may be another under OpenRouter's base path.
import type { ParsedRequest, Protocol } from "@turnpike/wire";
import type { Elysia } from "elysia";
import { type Methods, registerRoute } from "../routes/route.ts";
import { type CallContext, createCallHandle } from "./protocol-route.ts";

export function registerProtocol<Request extends ParsedRequest>(
  app: Pick<Elysia, "all">,
  context: CallContext,
  path: string,
  protocol: Protocol<Request>,
  atOpenRouter: Protocol<Request> = protocol,
): void {
  const methodsOf = (served: Protocol<Request>): Methods => {
    return { POST: createCallHandle(context, served) };
  };
  registerRoute(app, context.services, path, methodsOf(protocol), methodsOf(atOpenRouter));
}
