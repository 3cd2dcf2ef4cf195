// `/livez`: the process runs. `/readyz`: it may get traffic. `/metrics`: for loopback, or whoever
// has the token.
import { timingSafeEqual } from "node:crypto";
import type { Elysia } from "elysia";
import type { Services } from "../services.ts";
import { answerFault, newCallIds, unknownUrl } from "./answer-fault.ts";

/** What the listener knows of a request that the request itself does not say. */
export type Peer = {
  readonly isLoopback: (request: Request) => boolean;
  readonly draining: () => boolean;
};

const databaseWaitMs = 2_000;

export function mountHealth(app: Pick<Elysia, "get">, services: Services, peer: Peer): void {
  app.get("/livez", () => plain(200, "ok"));
  app.get("/readyz", async () => {
    if (peer.draining()) return plain(503, "draining");
    if (!services.heartbeat.alive()) return plain(503, "heartbeat lapsed");
    return (await isDatabaseThere(services)) ? plain(200, "ok") : plain(503, "database away");
  });
  app.get("/metrics", async ({ request }: { request: Request }) => {
    if (!mayReadMetrics(services, peer, request)) {
      return answerFault(services, newCallIds(), unknownUrl(request));
    }
    const { contentType, body } = await services.metrics.expose();
    return new Response(body, { headers: { "content-type": contentType } });
  });
}

function plain(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { "cache-control": "no-store" } });
}

async function isDatabaseThere(services: Services): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), databaseWaitMs);
  const asked = services.database.sql`select 1`.then(
    () => true,
    () => false,
  );
  const there = await Promise.race([asked, late]);
  clearTimeout(timer);
  return there;
}

function mayReadMetrics(services: Services, peer: Peer, request: Request): boolean {
  const token = services.config.METRICS_TOKEN;
  if (token === undefined) return peer.isLoopback(request);
  const presented = Buffer.from(request.headers.get("authorization") ?? "");
  const expected = Buffer.from(`Bearer ${token}`);
  return presented.length === expected.length && timingSafeEqual(presented, expected);
}
