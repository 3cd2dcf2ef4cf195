// `POST /console/export`: everything stored about the person who is signed in, or about the account of the page, as
// one archive. It needs a recent proof of identity, and is recorded before the first byte is sent.
import {
  type ArchivePart,
  archiveOfAccount,
  archiveOfPerson,
  type Openers,
  writeArchive,
} from "@turnpike/archive";
import {
  type AuthenticatedSession,
  auditActorOf,
  recordPersonEvent,
  requireAccount,
  requireFactor,
  requirePermission,
  requireRecentProof,
  requireSession,
  throttle,
} from "@turnpike/auth";
import { type AccountId, Fault, type Sealer } from "@turnpike/base";
import { recordAudit } from "@turnpike/db";
import { openSharedConversation, openStoredPrompt } from "@turnpike/prompts";
import type { Elysia } from "elysia";
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
    parts.push({
      ...archiveOfAccount(personal.id, "their account", openersOf(services)),
      folder: "account",
    });
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
  const archive = archiveOfAccount(account.id, `account ${account.slug}`, openersOf(services));
  const part = { ...archive, folder: "account" };
  return answerArchive(services, account.id, account.slug, [part]);
}

/** What SEALING_KEY does not open is missing, and the rest of the archive is not. */
function openersOf({ sealer, log }: Services): Openers {
  const open = (
    id: string,
    sealed: string,
    read: (sealer: Sealer, bytes: Uint8Array) => unknown,
  ) => {
    try {
      return sealer === undefined ? null : read(sealer, Buffer.from(sealed, "base64"));
    } catch (error) {
      log.error({ err: error, id }, "what is stored sealed does not open");
      return null;
    }
  };
  return {
    prompt: (accountId, id, sealed) =>
      open(id, sealed, (sealer, bytes) => openStoredPrompt(sealer, accountId, id, bytes)),
    conversation: (accountId, id, sealed) =>
      open(id, sealed, (sealer, bytes) => openSharedConversation(sealer, accountId, id, bytes)),
  };
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
  const day = new Date().toISOString().slice(0, 10);
  return new Response(body, {
    headers: {
      "content-type": "application/gzip",
      "content-disposition": `attachment; filename="${name}-${day}.tar.gz"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
