// What a key may read about itself and its account: `/v1/credits`, `/v1/key` (also
// `/v1/auth/key`), `/v1/generation` and the signed receipt of a generation.

import { isManagementKeyText, requireKeyPermission } from "@turnpike/accounts";
import { type AccountId, Fault, parseBearer, parseGenerationId } from "@turnpike/base";
import type { Principal } from "@turnpike/gateway";
import { queryCredits, queryGeneration, queryKeyUsage } from "@turnpike/reports";
import { creditsBody, generationBody, keyBody } from "@turnpike/wire";
import type { Elysia } from "elysia";
import { createAccountReads } from "../../read-reports.ts";
import type { Services } from "../../services.ts";
import { answerHeaders } from "../answers/answer-fault.ts";
import type { AuthenticateManagement } from "../callers/authenticate-management.ts";
import type { Authenticate } from "../callers/authenticate-request.ts";
import { answerJson, pathBehind, registerRoute } from "../routes/route.ts";

export function registerAccount(
  app: Pick<Elysia, "all">,
  services: Services,
  authenticate: Authenticate,
  authenticateManagement: AuthenticateManagement,
): void {
  /** Who may read the credits: OpenRouter's clients do so with the key that manages others. */
  const findPayer = async (request: Request): Promise<AccountId> => {
    if (!isManagementKeyText(parseBearer(request.headers))) {
      return (await authenticate(request)).accountId;
    }
    const key = await authenticateManagement(request);
    requireKeyPermission(key, "money.read");
    return key.account.id;
  };
  const read = createAccountReads(services.consoleDatabase.db);
  registerRoute(app, services, "/v1/credits", {
    async GET(request, ids) {
      const accountId = await findPayer(request);
      return answerJson(
        ids,
        creditsBody(await read(accountId, (db) => queryCredits(db, accountId))),
      );
    },
  });
  // OpenRouter's current name for it, and its earlier one.
  for (const path of ["/v1/key", "/v1/auth/key"]) {
    registerRoute(app, services, path, {
      async GET(request, ids) {
        const principal = await authenticate(request);
        const usage = await read(principal.accountId, (db) => queryKeyUsage(db, principal));
        return answerJson(ids, keyBody(usage));
      },
    });
  }
  const generationOf = async ({ accountId }: Pick<Principal, "accountId">, text: string) => {
    const id = parseGenerationId(text);
    const generation = id && (await read(accountId, (db) => queryGeneration(db, accountId, id)));
    if (generation) return generation;
    throw new Fault("generation_not_found", "No generation of this account has this id.", {
      param: "id",
    });
  };
  registerRoute(app, services, "/v1/generation/:id/receipt", {
    async GET(request, ids) {
      const principal = await authenticate(request);
      const [id = ""] = pathBehind(request, "/v1/generation/").split("/");
      const receipt = await services.api.receipts.sign(await generationOf(principal, id));
      const headers = { ...answerHeaders(ids), "content-type": "application/jwt" };
      return new Response(receipt, { headers });
    },
  });
  registerRoute(app, services, "/v1/generation", {
    async GET(request, ids) {
      const principal = await authenticate(request);
      const text = new URL(request.url).searchParams.get("id");
      if (text === null || text === "") {
        const message = "Missing required query parameter: 'id'.";
        throw new Fault("missing_required_parameter", message, { param: "id" });
      }
      return answerJson(ids, generationBody(await generationOf(principal, text)));
    },
  });
}
