// `POST /console/export`: everything stored about the person who is signed in, about the account of the page, or about
// one that an operator named, as one archive. It needs a recent proof of identity, and is recorded before the first byte is sent.

import { auditActorOf, requireAccount, requirePermission, throttle } from "@turnpike/accounts";
import { type ArchivePart, archiveOfPerson, writeArchive } from "@turnpike/archive";
import {
  type AuthenticatedSession,
  recordPersonEvent,
  requireFactor,
  requireRecentProof,
  requireSession,
} from "@turnpike/auth";
import { type AccountId, Fault } from "@turnpike/base";
import { recordAudit } from "@turnpike/db";
import { requireOperator, requireRecordedExport, verbs } from "@turnpike/operator";
import type { Elysia } from "elysia";
import { archiveAccount, archiveNameOf } from "../../archive-account.ts";
import type { Services } from "../../services.ts";
import { answerFault, newCallIds } from "../answers/answer-fault.ts";
import { withoutCors } from "../answers/without-cors.ts";
import { assertSameSite, ownOrigins } from "../callers/assert-same-site.ts";
import type { ClientAddress } from "../callers/authenticate-request.ts";
import { findAccountOf, type Visitors } from "../callers/authenticate-visitor.ts";

const path = "/console/export";

export function registerExport(
  app: Pick<Elysia, "all">,
  services: Services,
  addressOf: ClientAddress,
  visitors: Visitors,
): void {
  app.all(
    path,
    async ({ request }: { request: Request }) => {
      const ids = newCallIds();
      try {
        if (request.method !== "POST") {
          throw new Fault("method_not_supported", "Use POST.", { metadata: { allow: ["POST"] } });
        }
        assertSameSite(request, ownOrigins(services.config, new URL(request.url)));
        const authenticated = requireSession(await visitors.authenticate(request));
        requireRecentProof(authenticated);
        const caller = { address: addressOf(request), authenticated, request };
        const of = new URL(request.url).searchParams.get("of");
        if (of === "person") return await exportPerson(services, caller);
        if (of === "account") return await exportAccount(services, caller);
        if (of === "operated") return await exportOperated(services, caller);
        throw new Fault("invalid_value", "Export a person or an account.", { param: "of" });
      } catch (thrown) {
        return withoutCors(answerFault(services, ids, thrown));
      }
    },
    { parse: "none" },
  );
}

type ExportCaller = {
  readonly address: string;
  readonly authenticated: AuthenticatedSession;
  readonly request: Request;
};

/** Of the person, and of their personal account, which is theirs alone. */
async function exportPerson(services: Services, caller: ExportCaller): Promise<Response> {
  const { db, auth } = services.api;
  const { person } = caller.authenticated;
  await throttle(db, auth.throttles.exportPerPerson, `export:${person.id}`);
  const userAgent = caller.request.headers.get("user-agent") ?? "";
  const parts = [{ ...archiveOfPerson(person.id, person.email), folder: "person" }];
  const personal = person.accounts.find(({ kind }) => kind === "personal");
  if (personal !== undefined) {
    parts.push(archiveAccount(personal.id, "their account", services));
  }
  await recordPersonEvent(db, person.id, "export", { address: caller.address, userAgent });
  return answerArchive(services, personal?.id, "my-data", parts);
}

async function exportAccount(services: Services, caller: ExportCaller): Promise<Response> {
  const { db, auth } = services.api;
  const { person } = caller.authenticated;
  const { address } = caller;
  const account = requireAccount(
    await findAccountOf(services.api, caller.request, caller.authenticated),
  );
  requirePermission(account, "account.own");
  requireFactor(account, person);
  await throttle(db, auth.throttles.exportPerPerson, `export:${person.id}`);
  const by = auditActorOf({ person, address });
  await recordAudit(db, { accountId: account.id, by, action: "account.export" });
  return answerAccount(services, account);
}

/** Of a customer, for an operator who has just said why: that is in the customer's audit log. */
async function exportOperated(services: Services, caller: ExportCaller): Promise<Response> {
  const by = requireOperator(caller.authenticated.person, verbs.account.export.roles);
  const named = new URL(caller.request.url).searchParams.get("account");
  return answerAccount(services, await requireRecordedExport(services.api.db, by, named));
}

function answerAccount(
  services: Services,
  { id, slug }: { readonly id: AccountId; readonly slug: string },
): Response {
  const part = archiveAccount(id, `account ${slug}`, services);
  return answerArchive(services, id, slug, [part]);
}

/** Each page is one read of the account's reports, in its turn. */
function answerArchive(
  { api, log }: Services,
  accountId: AccountId | undefined,
  name: string,
  parts: readonly ArchivePart[],
): Response {
  const chunks = writeArchive(
    (read) => (accountId === undefined ? read(api.db) : api.report(accountId, read)),
    parts,
  );
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        // The answer breaks off, so that it cannot be taken for a whole archive.
        log.error({ err: error }, "an export failed");
        controller.error(error);
      }
    },
    cancel: async () => {
      await chunks.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "application/gzip",
      "content-disposition": `attachment; filename="${archiveNameOf(name)}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
