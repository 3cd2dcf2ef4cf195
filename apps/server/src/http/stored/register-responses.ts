// Stored responses as OpenAI's clients ask for them: those of the project of the calling key. What belongs to another project or
// account is answered as what never existed.
import { callOfResponse, Fault, type ObjectId, parseResponseId } from "@turnpike/base";
import { deleteObject, queryObject, readObject } from "@turnpike/objects";
import { cancelRun, deleteRun, queryRun } from "@turnpike/runs";
import {
  collectPage,
  itemListBody,
  parseItemQuery,
  readStoredResponse,
  readStoredTurn,
} from "@turnpike/wire";
import type { Elysia } from "elysia";
import { findMemoryAccess, type MemoryAccess } from "../../memory/memory-access.ts";
import { textOf } from "../../memory/read-turns.ts";
import { awaitEnd } from "../../runs/await-end.ts";
import type { Services } from "../../services.ts";
import { answerHeaders } from "../answers/answer-fault.ts";
import type { Authenticate } from "../callers/authenticate-request.ts";
import { bodyMaxBytes } from "../requests/read-body.ts";
import { answerJson, pathBehind, registerRoute } from "../routes/route.ts";
import { streamRun } from "../runs/stream-run.ts";
import { withSlot } from "./with-slot.ts";

const prefix = "/v1/responses/";

export function registerStoredResponses(
  app: Pick<Elysia, "all">,
  services: Services,
  authenticate: Authenticate,
): void {
  const find = async (request: Request): Promise<Named> => {
    const access = await findMemoryAccess(services, await authenticate(request));
    if (access === undefined) throw notKept();
    const [text = ""] = pathBehind(request, prefix).split("/");
    const id = parseResponseId(text);
    if (id === undefined) throw noResponse();
    return { access, id };
  };
  const findRun = async ({ access: { objects, owner, run }, id }: Named) => {
    const found = await run((db) => queryRun(db, objects.sealer, owner, callOfResponse(id)));
    return found?.kind === "response" ? found : undefined;
  };
  /** Rejects with the Fault of a response that the project does not have, unless `otherwise` has an answer. */
  async function useStored(
    { access, id }: Named,
    use: (stored: string) => Response | Promise<Response>,
    otherwise: () => Promise<Response | undefined>,
  ): Promise<Response> {
    const { principal, objects, owner, run } = access;
    const found = await run((db) => readObject(db, objects, owner, "response", id));
    if (found === undefined) {
      const answer = await otherwise();
      if (answer === undefined) throw noResponse();
      return answer;
    }
    return withSlot(services.gateway, principal, found.object.size, async () =>
      use(await textOf(found)),
    );
  }
  registerRoute(app, services, `${prefix}:id`, {
    async GET(request, ids) {
      const named = await find(request);
      const headers = { ...answerHeaders(ids), "content-type": "application/json" };
      if (wantsStream(request)) {
        const found = await findRun(named);
        if (found !== undefined) return streamRun(services, named.access, found, { request, ids });
        await requireStored(named);
        throw noStream();
      }
      const use = (stored: string) => new Response(readStoredResponse(stored), { headers });
      return useStored(named, use, async () => {
        const response = (await findRun(named))?.response;
        return response ? new Response(response, { headers }) : undefined;
      });
    },
    async DELETE(request, ids) {
      const named = await find(request);
      const { objects, owner, run } = named.access;
      const found = await findRun(named);
      if (found?.state === "running") throw stillRuns("deleted");
      const wasStored = await run((db) =>
        deleteObject(db, objects.blobs, owner, "response", named.id),
      );
      const hadRun = found !== undefined && (await run((db) => deleteRun(db, owner, found.id)));
      if (!wasStored && !hadRun) throw noResponse();
      const [text] = pathBehind(request, prefix).split("/");
      return answerJson(ids, { id: text, object: "response", deleted: true });
    },
  });
  registerRoute(app, services, `${prefix}:id/input_items`, {
    async GET(request, ids) {
      const query = parseItemQuery(new URL(request.url).searchParams);
      const named = await find(request);
      const use = async (stored: string) => {
        const { input } = readStoredTurn(stored);
        const items = query.order === "asc" ? input : input.toReversed();
        return answerJson(ids, itemListBody(await collectPage(items, query, bodyMaxBytes)));
      };
      return useStored(named, use, async () => {
        if ((await findRun(named))?.state === "running") throw stillRuns("listed");
        return undefined;
      });
    },
  });
  registerRoute(app, services, `${prefix}:id/cancel`, {
    async POST(request, ids) {
      const named = await find(request);
      const { access } = named;
      const found = await findRun(named);
      if (found === undefined) {
        await requireStored(named);
        throw notCancellable();
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

/** Rejects with the Fault of a response that the project does not have. */
async function requireStored({ access: { objects, owner, run }, id }: Named): Promise<void> {
  const found = await run((db) => queryObject(db, objects.sealer, owner, "response", id));
  if (found === undefined) throw noResponse();
}

type Named = { readonly access: MemoryAccess; readonly id: ObjectId };

function wantsStream({ url }: Request): boolean {
  return new URL(url).searchParams.get("stream") === "true";
}

function noStream(): Fault {
  const sentence =
    "Unsupported parameter: 'stream'. Only the events of a response that was created with 'background: true' are stored: read this one without 'stream'.";
  return new Fault("unsupported_parameter", sentence, { param: "stream" });
}

function notCancellable(): Fault {
  return new Fault(
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
