// Where a sign-in provider sends a browser back to: always answered with a redirect to a page of the console, which
// explains what went wrong, if something did.

import { finishAtProvider } from "@turnpike/auth";
import { customerNetwork, Fault } from "@turnpike/base";
import type { Elysia } from "elysia";
import type { Services } from "../../services.ts";
import { answerFault, newCallIds } from "../answers/answer-fault.ts";
import type { ClientAddress } from "../callers/authenticate-request.ts";
import { assertNotLimited, type Visitors } from "../callers/authenticate-visitor.ts";
import { callLimit, createCallLimiter, scaleLimit } from "../callers/limit-calls.ts";

const path = "/auth/callback/";

export function registerAuthCallback(
  app: Pick<Elysia, "get">,
  services: Services,
  addressOf: ClientAddress,
  visitors: Visitors,
): void {
  const limiter = createCallLimiter(scaleLimit(callLimit, services.config.THROTTLE_SCALE));
  app.get(`${path}*`, async ({ request }: { request: Request }) => {
    try {
      const address = addressOf(request);
      assertNotLimited(limiter.take(customerNetwork(address), 1));
      return await answer(services, request, address, visitors);
    } catch (thrown) {
      if (!(thrown instanceof Fault)) services.log.error({ err: thrown }, "sign-in failed");
      if (thrown instanceof Fault && thrown.code === "not_found") {
        return answerFault(services, newCallIds(), thrown);
      }
      return redirect("/login?refused=failed");
    }
  });
}

async function answer(
  { api, log }: Services,
  request: Request,
  address: string,
  visitors: Visitors,
): Promise<Response> {
  const { pathname, searchParams: query } = new URL(request.url);
  const { headers } = request;
  const caller = {
    address,
    userAgent: headers.get("user-agent") ?? "",
    cookies: headers.get("cookie"),
    authenticated: await visitors.authenticate(request),
  };
  const provider = pathname.slice(path.length);
  const finished = await finishAtProvider(api.db, api.auth, caller, { provider, query });
  if (finished.cause !== undefined) {
    log.warn({ err: finished.cause, provider }, "a sign-in provider was not believed");
  }
  const response = redirect(finished.path);
  for (const value of finished.setCookies) {
    response.headers.append("set-cookie", value);
    visitors.remember(value);
  }
  return response;
}

function redirect(location: string): Response {
  return new Response(null, {
    status: 303,
    // The address of this page has the code: no page may learn it.
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}
