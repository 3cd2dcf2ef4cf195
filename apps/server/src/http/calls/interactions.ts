// Google's Interactions API: `POST …/interactions` under each of its versions. Interactions are not stored: paths that would
// need one answer every method with a 404 that says so.
import { Fault } from "@turnpike/base";
import { interactionsProtocol } from "@turnpike/wire";
import type { Elysia } from "elysia";
import { interactionsPaths } from "../routes/api-base.ts";
import { type Handle, pathBehind, registerPath } from "../routes/route.ts";
import { moveKey } from "./gemini.ts";
import { type CallContext, createCallHandle } from "./protocol-route.ts";

export function registerInteractions(app: Pick<Elysia, "all">, context: CallContext): void {
  const { services, authenticate } = context;
  const create = createCallHandle(context, interactionsProtocol);
  const post: Handle = (request, ids) => {
    moveKey(request);
    return create(request, ids);
  };
  const refuse: Handle = async (request) => {
    moveKey(request);
    await authenticate(request);
    throw notStored(pathBehind(request, "/interactions/"));
  };
  for (const path of interactionsPaths) {
    registerPath(app, services, path, { POST: post });
    registerPath(app, services, `${path}/*`, { GET: refuse, POST: refuse, DELETE: refuse });
  }
}

/** `rest` is what follows `/interactions/`: an id, or an id and an action. */
function notStored(rest: string): Fault {
  const [id = ""] = rest.split("/");
  return new Fault(
    "not_found",
    `Interaction '${id.slice(0, 100)}' was not found: interactions are not stored here, so they cannot be retrieved, canceled, deleted or continued. Send the steps of the whole conversation in 'input'.`,
  );
}
