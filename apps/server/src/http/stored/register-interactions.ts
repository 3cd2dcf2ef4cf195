// Stored interactions as Google's clients ask for them, under each version of Google's API: those of the project of the calling key.
import { Fault } from "@turnpike/base";
import { interactionsMemory, readStoredInteraction } from "@turnpike/wire";
import type { Elysia } from "elysia";
import type { Services } from "../../services.ts";
import { answerHeaders } from "../answers/answer-fault.ts";
import type { Authenticate } from "../callers/authenticate-request.ts";
import { moveKey } from "../calls/gemini.ts";
import { interactionsPaths } from "../routes/api-base.ts";
import { answerJson, type Methods, registerPath } from "../routes/route.ts";
import { asksForStream, StoredAnswers } from "./stored-answers.ts";

export function registerStoredInteractions(
  app: Pick<Elysia, "all">,
  services: Services,
  authenticate: Authenticate,
): void {
  const answers = new StoredAnswers(services, authenticate, {
    language: interactionsMemory,
    prefix: "/interactions/",
    unknown: noInteraction,
    notKept,
  });
  const find = (request: Request) => {
    moveKey(request);
    return answers.find(request);
  };
  const one: Methods = {
    async GET(request, ids) {
      const stored = await find(request);
      refuseStream(request);
      const includesInput = new URL(request.url).searchParams.get("include_input") === "true";
      const headers = { ...answerHeaders(ids), "content-type": "application/json" };
      return answers.read(
        stored,
        (text) => new Response(readStoredInteraction(text, includesInput), { headers }),
      );
    },
    async DELETE(request, ids) {
      if (!(await answers.delete(await find(request)))) throw noInteraction();
      return answerJson(ids, {});
    },
  };
  const cancel: Methods = {
    async POST(request) {
      await answers.require(await find(request));
      throw new Fault(
        "malformed_request",
        "Only an interaction that runs in the background can be cancelled, and none does: this one is complete.",
      );
    },
  };
  for (const path of interactionsPaths) {
    registerPath(app, services, `${path}/:id`, one);
    registerPath(app, services, `${path}/:id/cancel`, cancel);
  }
}

function refuseStream(request: Request): void {
  if (!asksForStream(request)) return;
  const sentence =
    "Unsupported parameter: 'stream'. A stored interaction is complete: read it without 'stream'.";
  throw new Fault("unsupported_parameter", sentence, { param: "stream" });
}

/** For an id of somebody else, of an interaction that has expired, and for one that never existed. */
function noInteraction(): Fault {
  const sentence =
    "No stored interaction of the project of this key has this id. Interactions are stored with 'store: true', and expire.";
  return new Fault("not_found", sentence, { param: "id" });
}

/** As where interactions could be stored and this one was not, and why. */
function notKept(): Fault {
  const sentence =
    "No such interaction: interactions are not stored here. The operator of this installation has to set OBJECTS_FOLDER and SEALING_KEY first; until then send the steps of the whole conversation in 'input'.";
  return new Fault("not_found", sentence, { param: "id" });
}
