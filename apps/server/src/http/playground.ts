// The console's playground: the same trunk as `/v1/chat/completions`, paid by the account of whoever
// is signed in, marked as what it is. Guarded like everything that acts through a cookie.
import { identifySession, noLimits, requireSession } from "@turnpike/auth";
import { Fault } from "@turnpike/base";
import { completeChat, type Spender } from "@turnpike/gateway";
import type { Elysia } from "elysia";
import type { Server } from "../listen.ts";
import type { Services } from "../services.ts";
import { answerFault, type CallIds, idHeaders, newCallIds } from "./answer-fault.ts";
import { bodyMaxBytes, stalledReaderSeconds } from "./openai.ts";
import { readBody } from "./read-body.ts";
import { ownOrigins, refuseCrossSite } from "./refuse-cross-site.ts";

export function mountPlayground(
  app: Pick<Elysia, "all">,
  services: Services,
  server: () => Server,
): void {
  app.all(
    "/console/playground",
    async ({ request }: { request: Request }) => {
      const ids = newCallIds();
      try {
        const answer = await complete(services, request, ids);
        server().timeout(request, stalledReaderSeconds);
        return answer;
      } catch (thrown) {
        return withoutCors(answerFault(services, ids, thrown));
      }
    },
    { parse: "none" },
  );
}

async function complete(services: Services, request: Request, ids: CallIds): Promise<Response> {
  if (request.method !== "POST") {
    throw new Fault("method_not_supported", "Use POST.", { metadata: { allow: ["POST"] } });
  }
  refuseCrossSite(request, ownOrigins(services.config, request.url));
  const answer = await completeChat(services.gateway, {
    ...ids,
    userAgent: "playground",
    readBody: () => readBody(request, bodyMaxBytes),
    signal: request.signal,
    identify: () => identifyPerson(services, request),
  });
  return new Response(answer.body, { headers: { ...idHeaders(ids), ...answer.headers } });
}

async function identifyPerson(services: Services, request: Request): Promise<Spender> {
  const cookies = request.headers.get("cookie");
  const { account } = requireSession(await identifySession(services.api.auth, cookies));
  return { accountId: account.id, keyId: null, limits: noLimits, origin: "playground" };
}

/** Other sites have no business here. */
function withoutCors(response: Response): Response {
  response.headers.delete("access-control-allow-origin");
  response.headers.delete("access-control-expose-headers");
  return response;
}
