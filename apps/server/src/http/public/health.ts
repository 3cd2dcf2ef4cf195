// `/livez`: that the process runs, and its version. `/readyz`: it may get traffic. `/metrics`, and why an instance is
// not ready, are for holders of the token; outside production, if no token is set, for loopback.
import { timingSafeEqual } from "node:crypto";
import type { HeartbeatStatus } from "@turnpike/ledger";
import type { Elysia } from "elysia";
import type { Services } from "../../services.ts";
import { version } from "../../version.ts";
import { answerFault, newCallIds } from "../answers/answer-fault.ts";
import type { ClientAddress } from "../callers/authenticate-request.ts";
import { unknownUrl } from "../routes/describe-url.ts";

/** What the listener knows about a request beyond the request itself. */
export type Peer = {
  readonly isLoopback: (request: Request) => boolean;
  readonly draining: () => boolean;
  readonly addressOf: ClientAddress;
};

/** `/readyz` answers within this time, with what is known. */
const proofWaitMs = 2_000;

export function registerHealth(app: Pick<Elysia, "get">, services: Services, peer: Peer): void {
  app.get("/livez", () => plain(200, ["ok", `version ${version}`].join("\n")));
  app.get("/readyz", async ({ request }: { request: Request }) => {
    if (peer.draining()) return plain(503, "draining");
    const status = await services.heartbeat.prove(proofWaitMs);
    const obstacle = findObstacle(status) ?? services.ledger.outage()?.reason;
    const isDetailed = mayReadMetrics(services, peer, request);
    if (obstacle !== undefined) return plain(503, isDetailed ? obstacle : "not ready");
    if (!isDetailed) return plain(200, "ok");
    const { version: catalogVersion, models } = services.catalog.current;
    const lines = [
      "ok",
      `catalog ${catalogVersion}, ${models.size} models`,
      `you are ${peer.addressOf(request)}`,
    ];
    if (status.failure !== undefined) lines.push(`slow: ${status.failure.reason}`);
    return plain(200, lines.join("\n"));
  });
  app.get("/metrics", async ({ request }: { request: Request }) => {
    if (!mayReadMetrics(services, peer, request)) {
      return answerFault(services, newCallIds(), unknownUrl(services, request));
    }
    const { contentType, body } = await services.metrics.expose();
    return new Response(body, { headers: { "content-type": contentType } });
  });
}

function plain(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { "cache-control": "no-store" } });
}

/** Why this instance must get no traffic; undefined if it may. Ready means a write has succeeded. */
function findObstacle(status: HeartbeatStatus): string | undefined {
  const { alive, clock, failure, isAway } = status;
  if (status.outdated) return "a later version migrated the database";
  if (clock.wrong) {
    const seconds = (Math.abs(clock.offsetMs) / 1_000).toFixed(1);
    const where = clock.offsetMs > 0 ? "ahead of" : "behind";
    return `the clock of this machine is ${seconds} s ${where} the database's`;
  }
  if (!alive) return ["heartbeat lapsed", failure?.reason].filter(Boolean).join(": ");
  if (failure === undefined) return undefined;
  return failure.kind === "slow" && !isAway ? undefined : failure.reason;
}

function mayReadMetrics(services: Services, peer: Peer, request: Request): boolean {
  const { METRICS_TOKEN: token, NODE_ENV } = services.config;
  if (token === undefined) return NODE_ENV !== "production" && peer.isLoopback(request);
  const presented = Buffer.from(request.headers.get("authorization") ?? "");
  // Two while Prometheus is being given the new one.
  return token.split(",").some((one) => {
    const expected = Buffer.from(`Bearer ${one}`);
    return presented.length === expected.length && timingSafeEqual(presented, expected);
  });
}
