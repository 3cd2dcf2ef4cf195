// Stored responses as OpenAI's clients ask for them: those of the project of the calling key. What belongs to another project or
// account is answered as what never existed.
import { Fault, type ObjectId, parseResponseId } from "@turnpike/base";
import { deleteObject, queryObject, readObject } from "@turnpike/objects";
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
import type { Services } from "../../services.ts";
import { answerHeaders } from "../answers/answer-fault.ts";
import type { Authenticate } from "../callers/authenticate-request.ts";
import { bodyMaxBytes } from "../requests/read-body.ts";
import { answerJson, pathBehind, registerRoute } from "../routes/route.ts";
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
  /** Rejects with the Fault of a response that the project does not have. */
  async function useStored(
    { access, id }: Named,
    use: (stored: string) => Response | Promise<Response>,
  ): Promise<Response> {
    const { principal, objects, owner, run } = access;
    const found = await run((db) => readObject(db, objects, owner, "response", id));
    if (found === undefined) throw noResponse();
    return withSlot(services.gateway, principal, found.object.size, async () =>
      use(await textOf(found)),
    );
  }
  registerRoute(app, services, `${prefix}:id`, {
    async GET(request, ids) {
      refuseStream(request);
      const headers = { ...answerHeaders(ids), "content-type": "application/json" };
      return useStored(await find(request), (stored) => {
        return new Response(readStoredResponse(stored), { headers });
      });
    },
    async DELETE(request, ids) {
      const { access, id } = await find(request);
      const { objects, owner, run } = access;
      const isDeleted = await run((db) => deleteObject(db, objects.blobs, owner, "response", id));
      if (!isDeleted) throw noResponse();
      const [text] = pathBehind(request, prefix).split("/");
      return answerJson(ids, { id: text, object: "response", deleted: true });
    },
  });
  registerRoute(app, services, `${prefix}:id/input_items`, {
    async GET(request, ids) {
      const query = parseItemQuery(new URL(request.url).searchParams);
      return useStored(await find(request), async (stored) => {
        const { input } = readStoredTurn(stored);
        const items = query.order === "asc" ? input : input.toReversed();
        return answerJson(ids, itemListBody(await collectPage(items, query, bodyMaxBytes)));
      });
    },
  });
  registerRoute(app, services, `${prefix}:id/cancel`, {
    async POST(request) {
      const { access, id } = await find(request);
      const { objects, owner, run } = access;
      const found = await run((db) => queryObject(db, objects.sealer, owner, "response", id));
      if (found === undefined) throw noResponse();
      throw new Fault(
        "malformed_request",
        "Only a response that was created with 'background: true' can be cancelled.",
      );
    },
  });
}

type Named = { readonly access: MemoryAccess; readonly id: ObjectId };

function refuseStream({ url }: Request): void {
  if (new URL(url).searchParams.get("stream") !== "true") return;
  const sentence =
    "Unsupported parameter: 'stream'. A stored response is complete: read it without 'stream'.";
  throw new Fault("unsupported_parameter", sentence, { param: "stream" });
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
