// `GET /console/files/{id}?account={slug}`: a file that is kept, for members who may read it. The console links to it, so that a browser saves
// it without holding it in memory. A link of another site does not work.
import {
  chooseAccount,
  projectScopeOf,
  requireAccount,
  requirePermission,
} from "@turnpike/accounts";
import { requireFactor, requireSession } from "@turnpike/auth";
import { parseFileId } from "@turnpike/base";
import { readObject } from "@turnpike/objects";
import type { Elysia } from "elysia";
import type { Services } from "../../services.ts";
import { answerFault, type CallIds, newCallIds } from "../answers/answer-fault.ts";
import { withoutCors } from "../answers/without-cors.ts";
import { assertOwnPage, ownOrigins } from "../callers/assert-same-site.ts";
import type { Visitors } from "../callers/authenticate-visitor.ts";
import { answerContent } from "../files/answer-content.ts";
import { noFile } from "../files/fill-files.ts";

const prefix = "/console/files/";

export function registerFileContent(
  app: Pick<Elysia, "get">,
  services: Services,
  visitors: Visitors,
): void {
  app.get(`${prefix}:id`, async ({ request }: { request: Request }) => {
    const ids = newCallIds();
    try {
      return withoutCors(await answerFile(services, visitors, request, ids));
    } catch (thrown) {
      return withoutCors(answerFault(services, ids, thrown));
    }
  });
}

async function answerFile(
  services: Services,
  visitors: Visitors,
  request: Request,
  ids: CallIds,
): Promise<Response> {
  const { objects, api, config } = services;
  const url = new URL(request.url);
  assertOwnPage(request, ownOrigins(config, url));
  const { person } = requireSession(await visitors.authenticate(request));
  const slug = url.searchParams.get("account") ?? undefined;
  const account = requireAccount(await chooseAccount(api.db, person, slug));
  const granted = requirePermission(account, "files.read");
  requireFactor(account, person);
  const id = parseFileId(url.pathname.slice(prefix.length));
  if (objects === undefined || id === undefined) throw noFile("id");
  const view = {
    accountId: account.id,
    ownerOfKeys: granted === "own" ? person.id : undefined,
    projectIds: projectScopeOf(account),
  };
  const found = await services.readFiles(account.id, (db) =>
    readObject(db, objects, view, "file", id),
  );
  if (found === undefined) throw noFile("id");
  return answerContent(request, ids, found);
}
