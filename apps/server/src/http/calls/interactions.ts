// Google's Interactions API under each of its versions: `POST …/interactions`, which calls a model, and what was stored.
import { interactionsProtocol } from "@turnpike/wire";
import type { Elysia } from "elysia";
import { interactionsPaths } from "../routes/api-base.ts";
import { type Handle, registerPath } from "../routes/route.ts";
import { registerStoredInteractions } from "../stored/register-interactions.ts";
import { moveKey } from "./gemini.ts";
import { type CallContext, createCallHandle } from "./protocol-route.ts";

export function registerInteractions(app: Pick<Elysia, "all">, context: CallContext): void {
  const { services, authenticate } = context;
  const create = createCallHandle(context, interactionsProtocol);
  const post: Handle = (request, ids) => {
    moveKey(request);
    return create(request, ids);
  };
  for (const path of interactionsPaths) {
    registerPath(app, services, path, { POST: post });
  }
  registerStoredInteractions(app, services, authenticate);
}
