// `POST /v1/management/keys/revoke-leaked`: for those who scan public places for secrets. Anyone who has a key may report
// it, with nothing but the key: what can be done with it is worse. The answer is the same whether a key existed, still
// worked, or was revoked by this report. Few reports are worked on at once, one of each network.
import { leakReportSchema } from "@turnpike/api";
import { customerNetwork, Fault } from "@turnpike/base";
import { isKeyText, type LeakReport, reportLeakedKeys } from "@turnpike/keys";
import type { Elysia } from "elysia";
import { type Bounds, createFairQueue } from "../../fair-queue.ts";
import type { Services } from "../../services.ts";
import { answerHeaders } from "../answers/answer-fault.ts";
import type { ClientAddress } from "../callers/authenticate-request.ts";
import { type CallLimit, createCallLimiter, scaleLimit } from "../callers/limit-calls.ts";
import { createEventBodies } from "../events/limit-event-bodies.ts";
import { readPlainJson } from "../requests/read-body.ts";
import { registerRoute } from "../routes/route.ts";

const bodyMaxBytes = 1024 * 1024;
const bodyWaitMs = 10_000;

/** Reports from one network. */
const reportLimit: CallLimit = { perSecond: 1, burst: 30 };
/** How many are worked on at once: each takes a connection of the console. */
const places = 2;
const turnBounds: Bounds = {
  most: 1,
  waitMaxMs: 10_000,
  refusal: "Too many reports of leaked keys are waiting. Please send this one again in 2s.",
};

export function registerLeakedKeys(
  app: Pick<Elysia, "all">,
  services: Services,
  addressOf: ClientAddress,
): void {
  const limiter = createCallLimiter(
    scaleLimit(reportLimit, services.config.THROTTLE_SCALE),
    () => performance.now(),
    () => services.heartbeat.share().instances,
  );
  const publicUrl = services.config.PUBLIC_URL;
  const takeRoom = createEventBodies();
  const fairQueue = createFairQueue(places);
  const limit = (network: string) => {
    const waitMs = limiter.take(network, 1);
    if (waitMs === 0) return;
    const sentence = "Too many reports of leaked keys come from your network.";
    throw new Fault("rate_limit_exceeded", sentence, { retryAfterMs: waitMs });
  };
  registerRoute(app, services, "/v1/management/keys/revoke-leaked", {
    async POST(request, ids) {
      const address = addressOf(request);
      const network = customerNetwork(address);
      limit(network);
      // Kept until the end: what waits for its turn takes up memory.
      const freeRoom = takeRoom(network, bodyMaxBytes);
      try {
        const text = await readPlainJson(request, bodyMaxBytes, { waitMs: bodyWaitMs });
        const { wellFormed, malformed } = parseReports(text, address);
        await fairQueue.run(network, turnBounds, () =>
          reportLeakedKeys(services.api.db, { publicUrl }, wellFormed, request.signal),
        );
        const body = JSON.stringify({ received: wellFormed.length, malformed });
        const headers = { ...answerHeaders(ids), "content-type": "application/json" };
        return new Response(body, { status: 202, headers });
      } finally {
        freeRoom();
      }
    },
  });
}

/** Each key once. Throws `invalid_json` and `invalid_value`. */
function parseReports(
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
