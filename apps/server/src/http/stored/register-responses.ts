// Stored responses as OpenAI's clients ask for them: those of the project of the calling key.
import { callOfResponse, Fault } from "@turnpike/base";
import { cancelRun, deleteRun, queryRun } from "@turnpike/runs";
import {
  collectPage,
  itemListBody,
  parseItemQuery,
  readStoredResponse,
  readStoredTurn,
  responsesMemory,
} from "@turnpike/wire";
import type { Elysia } from "elysia";
import type { HttpListener } from "../../listen.ts";
import { awaitEnd } from "../../runs/await-end.ts";
import type { Services } from "../../services.ts";
import { answerHeaders } from "../answers/answer-fault.ts";
import type { Authenticate } from "../callers/authenticate-request.ts";
import { bodyMaxBytes } from "../requests/read-body.ts";
import { answerJson, registerRoute } from "../routes/route.ts";
import { streamRun } from "../runs/stream-run.ts";
import { asksForStream, type StoredAnswer, StoredAnswers } from "./stored-answers.ts";

const prefix = "/v1/responses/";

export function registerStoredResponses(
  app: Pick<Elysia, "all">,
  services: Services,
  authenticate: Authenticate,
  listener: HttpListener,
): void {
  const answers = new StoredAnswers(services, authenticate, {
    language: responsesMemory,
    prefix,
    unknown: noResponse,
    notKept,
  });
  const findRun = async ({ access: { objects, owner, run }, id }: StoredAnswer) => {
    const found = await run((db) => queryRun(db, objects.sealer, owner, callOfResponse(id)));
    return found?.kind === "response" ? found : undefined;
  };
  registerRoute(app, services, `${prefix}:id`, {
    async GET(request, ids) {
      const named = await answers.find(request);
      const headers = { ...answerHeaders(ids), "content-type": "application/json" };
      if (asksForStream(request)) {
        const found = await findRun(named);
        if (found !== undefined)
          return streamRun(services, named.access, found, { request, ids, listener });
        await answers.require(named);
        return refuseStream();
      }
      const use = (stored: string) => new Response(readStoredResponse(stored), { headers });
      return answers.read(named, use, async () => {
        const response = (await findRun(named))?.response;
        return response ? new Response(response, { headers }) : undefined;
      });
    },
    async DELETE(request, ids) {
      const named = await answers.find(request);
      const { owner, run } = named.access;
      const found = await findRun(named);
      if (found?.state === "running") throw stillRuns("deleted");
      const wasStored = await answers.delete(named);
      const hadRun = found !== undefined && (await run((db) => deleteRun(db, owner, found.id)));
      if (!wasStored && !hadRun) throw noResponse();
      return answerJson(ids, { id: named.name, object: "response", deleted: true });
    },
  });
  registerRoute(app, services, `${prefix}:id/input_items`, {
    async GET(request, ids) {
      const query = parseItemQuery(new URL(request.url).searchParams);
      const named = await answers.find(request);
      const use = async (stored: string) => {
        const { input } = readStoredTurn(stored);
        const items = query.order === "asc" ? input : input.toReversed();
        return answerJson(ids, itemListBody(await collectPage(items, query, bodyMaxBytes)));
      };
      return answers.read(named, use, async () => {
        if ((await findRun(named))?.state === "running") throw stillRuns("listed");
        return undefined;
      });
    },
  });
  registerRoute(app, services, `${prefix}:id/cancel`, {
    async POST(request, ids) {
      const named = await answers.find(request);
      const { access } = named;
      const found = await findRun(named);
      if (found === undefined) {
        await answers.require(named);
        return refuseCancel();
      }
      await access.run((db) => cancelRun(db, access.owner, found.id));
      const ended = await awaitEnd(services.liveRuns, access, found.id, cancelWaitMs);
      const headers = { ...answerHeaders(ids), "content-type": "application/json" };
      return new Response(ended?.response ?? found.response, { headers });
    },
  });
}

/** The process that runs it ends it within moments, or has died. */
const cancelWaitMs = 10_000;

function refuseStream(): never {
  const sentence =
    "Unsupported parameter: 'stream'. Only the events of a response that was created with 'background: true' are stored: read this one without 'stream'.";
  throw new Fault("unsupported_parameter", sentence, { param: "stream" });
}

function refuseCancel(): never {
  throw new Fault(
    "malformed_request",
    "Only a response that was created with 'background: true' can be cancelled.",
  );
}

function stillRuns(what: "deleted" | "listed"): Fault {
  const sentence =
    what === "deleted"
      ? "This response still runs. Cancel it first with POST /v1/responses/{id}/cancel."
      : "This response still runs. Its input items can be listed once it has ended.";
  return new Fault("malformed_request", sentence);
}

/** For an id of somebody else, of a response that has expired, and for one that never existed. */
function noResponse(): Fault {
  const sentence =
    "No stored response of the project of this key has this id. Responses are stored with 'store: true', and expire.";
  return new Fault("not_found", sentence, { param: "id" });
}

/** As where responses could be stored and this one was not, and why. */
function notKept(): Fault {
  const sentence =
    "No such response: responses are not stored here. The operator of this installation has to set OBJECTS_FOLDER and SEALING_KEY first; until then send the whole conversation in 'input' to POST /v1/responses.";
  return new Fault("not_found", sentence, { param: "id" });
}
