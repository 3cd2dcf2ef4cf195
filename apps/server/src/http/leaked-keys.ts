// `POST /v1/management/keys/revoke-leaked`: for those who scan public places for secrets. Anyone who has a key may report
// it, with nothing but the key: what can be done with it is worse. The answer is the same whether a key existed, still
// worked, or was revoked by this report.
import { leakReportSchema } from "@turnpike/api";
import { customerNetwork, Fault } from "@turnpike/base";
import { isKeyText, type LeakReport, reportLeakedKey } from "@turnpike/keys";
import type { Elysia } from "elysia";
import type { Services } from "../services.ts";
import { answerHeaders } from "./answer-fault.ts";
import type { ClientAddress } from "./authenticate-request.ts";
import { type CallLimit, openCallLimiter, scaleLimit } from "./limit-calls.ts";
import { openEventBodies } from "./limit-event-bodies.ts";
import { readBody } from "./read-body.ts";
import { registerRoute } from "./route.ts";

const bodyMaxBytes = 1024 * 1024;
const bodyWaitMs = 10_000;

/** Reports from one network. */
const reportLimit: CallLimit = { perSecond: 1, burst: 30 };

export function registerLeakedKeys(
  app: Pick<Elysia, "all">,
  services: Services,
  addressOf: ClientAddress,
): void {
  const limiter = openCallLimiter(
    scaleLimit(reportLimit, services.config.THROTTLE_SCALE),
    () => performance.now(),
    () => services.heartbeat.share().instances,
  );
  const publicUrl = services.config.PUBLIC_URL;
  const takeRoom = openEventBodies();
  registerRoute(app, services, "/v1/management/keys/revoke-leaked", {
    async POST(request, ids) {
      const address = addressOf(request);
      const network = customerNetwork(address);
      const waitMs = limiter.take(network, 1);
      if (waitMs > 0) {
        const sentence = "Too many reports of leaked keys come from your network.";
        throw new Fault("rate_limit_exceeded", sentence, { retryAfterMs: waitMs });
      }
      const freeRoom = takeRoom(network, bodyMaxBytes);
      let text: string;
      try {
        text = await readBody(request, bodyMaxBytes, { waitMs: bodyWaitMs });
      } finally {
        freeRoom();
      }
      const reports = readReports(text, address);
      for (const report of reports.wellFormed) {
        await reportLeakedKey(services.api.db, { publicUrl }, report);
      }
      const { length: received } = reports.wellFormed;
      const body = JSON.stringify({ received, malformed: reports.malformed });
      const headers = { ...answerHeaders(ids), "content-type": "application/json" };
      return new Response(body, { status: 202, headers });
    },
  });
}

/** Each key once. Throws `invalid_json` and `invalid_value`. */
function readReports(
  text: string,
  address: string,
): { readonly wellFormed: readonly LeakReport[]; readonly malformed: number } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Fault("invalid_json", "The body of your request is not valid JSON.");
  }
  const read = leakReportSchema.safeParse(body);
  if (!read.success) {
    const sentence = 'Send a list of at most 1,000 findings, such as [{"token": "sk-tp-…"}].';
    throw new Fault("invalid_value", sentence);
  }
  const reports = new Map<string, LeakReport>();
  let malformed = 0;
  for (const { token, url = null } of read.data) {
    if (!isKeyText(token)) malformed += 1;
    else reports.set(token, { text: token, foundAt: url, seenIn: "public", address });
  }
  return { wellFormed: [...reports.values()], malformed };
}
