// `GET /v1/generation/{id}/stream`: the events of a call that was made resumable, or that runs in the background.
import { Fault, parseGenerationId } from "@turnpike/base";
import { queryRun } from "@turnpike/runs";
import type { Elysia } from "elysia";
import type { HttpListener } from "../../listen.ts";
import { findMemoryAccess } from "../../memory/memory-access.ts";
import { resumableHeader } from "../../runs/start-run.ts";
import type { Services } from "../../services.ts";
import type { Authenticate } from "../callers/authenticate-request.ts";
import { pathBehind, registerRoute } from "../routes/route.ts";
import { streamRun } from "./stream-run.ts";

const prefix = "/v1/generation/";

export function registerRunStreams(
  app: Pick<Elysia, "all">,
  services: Services,
  authenticate: Authenticate,
  listener: HttpListener,
): void {
  registerRoute(app, services, `${prefix}:id/stream`, {
    async GET(request, ids) {
      const access = await findMemoryAccess(services, await authenticate(request));
      const [text = ""] = pathBehind(request, prefix).split("/");
      const id = parseGenerationId(text);
      const found =
        access &&
        id &&
        (await access.run((db) => queryRun(db, access.objects.sealer, access.owner, id)));
      if (access === undefined || found === undefined) throw noStream();
      return streamRun(services, access, found, { request, ids, listener });
    },
  });
}

function noStream(): Fault {
  return new Fault(
    "not_found",
    `No stream of the project of this key has this id. Streams are stored for calls with the header '${resumableHeader}: true' and for responses with 'background: true', and expire.`,
    { param: "id" },
  );
}
