// The rows of requests with amounts as bigint: what the books say,
// read directly from the database.
import type { TestSite } from "../harness/index.ts";

export type RequestRow = {
  readonly id: string;
  readonly state: string;
  readonly outcome: string;
  readonly status: number;
  readonly errorCode: string | null;
  readonly usageSource: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly maxTokens: number | null;
  readonly heldNanos: bigint;
  readonly chargedNanos: bigint;
  readonly shortfallNanos: bigint;
};

type Site = Pick<TestSite, "owner">;

/** The request of the client named `name`; undefined if it got no row. */
export async function findRequest(site: Site, name: string): Promise<RequestRow | undefined> {
  const rows = await readRequests(site);
  return rows.get(name);
}

/** Like `findRequest`, for a request that must exist; waits for its end. */
export async function awaitRequest(site: Site, name: string): Promise<RequestRow> {
  return eventually(`the end of ${name}`, async () => {
    return findRequest(site, name);
  });
}

/** All requests by the name of their client. */
export async function readRequests({ owner }: Site): Promise<Map<string, RequestRow>> {
  const rows = await owner.sql<(Record<string, string> & { user_agent: string })[]>`
    select id, coalesce(user_agent, '') as user_agent, state, outcome, status,
           error_code, usage_source, prompt_tokens, completion_tokens, cached_tokens,
           cache_write_tokens, max_tokens, held_nanos::text, charged_nanos::text,
           shortfall_nanos::text
      from requests`;
  return new Map(rows.map((row) => [row.user_agent, readRow(row)]));
}

function readRow(row: Record<string, string | null>): RequestRow {
  const text = (name: string) => String(row[name] ?? "");
  return {
    id: text("id"),
    state: text("state"),
    outcome: text("outcome"),
    status: Number(row.status),
    errorCode: row.error_code ?? null,
    usageSource: text("usage_source"),
    promptTokens: Number(row.prompt_tokens),
    completionTokens: Number(row.completion_tokens),
    cachedTokens: Number(row.cached_tokens),
    cacheWriteTokens: Number(row.cache_write_tokens),
    maxTokens: row.max_tokens === null ? null : Number(row.max_tokens),
    heldNanos: BigInt(text("held_nanos")),
    chargedNanos: BigInt(text("charged_nanos")),
    shortfallNanos: BigInt(text("shortfall_nanos")),
  };
}

/** Repeats `read` until the result is neither undefined nor false; fails with `what` after `withinMs`. */
export async function eventually<Value>(
  what: string,
  ask: () => Promise<Value | undefined | false>,
  withinMs = 60_000,
): Promise<Value> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = await ask();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms for ${what}`);
    await Bun.sleep(20);
  }
}
