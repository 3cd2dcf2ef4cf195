// One call at the desk, and why it was charged what it was: its tokens times the version of the price, the route and
// every attempt, what was held for it and what ended it.
import { Fault, type GenerationId, parseGenerationId } from "@turnpike/base";
import { accounts, type Db, leases, prices, requests } from "@turnpike/db";
import { queryLogDetail } from "@turnpike/reports";
import { formatFemtos, formatUsd, toNanos } from "@turnpike/terms";
import { and, eq } from "drizzle-orm";
import { findCallById, findCallByRequestId } from "./find/find-calls.ts";
import { line } from "./inputs.ts";
import { everyone, query } from "./verb.ts";

export const requestVerbs = {
  explain: query({
    roles: everyone,
    summary: "why it was charged: tokens, price, route, attempts, hold, and what ended it",
    input: { id: line(128) },
    run: ({ db }, _, { id }) => explainCall(db, id),
  }),
};

/** `req_…`, `gen-…` or the id of an answer. Throws `not_found`. */
async function explainCall(db: Db, text: string) {
  const id = await findId(db, text.trim());
  const [found] = await db
    .select({
      accountId: requests.accountId,
      account: accounts.name,
      state: requests.state,
      heldNanos: requests.heldNanos,
      costNanos: requests.costNanos,
      leaseId: requests.leaseId,
      instanceId: requests.instanceId,
      hour: leases.hour,
      leaseClosedAt: leases.closedAt,
      priceSince: prices.since,
    })
    .from(requests)
    .innerJoin(accounts, eq(accounts.id, requests.accountId))
    .leftJoin(
      leases,
      and(eq(leases.accountId, requests.accountId), eq(leases.id, requests.leaseId)),
    )
    .leftJoin(prices, eq(prices.id, requests.priceId))
    .where(eq(requests.id, id));
  const detail = found && (await queryLogDetail(db, found, id));
  if (found === undefined || detail === undefined) throw noSuchCall();
  const { row, request } = detail;
  return {
    accountId: found.accountId,
    account: found.account,
    generationId: detail.generationId,
    requestId: request.requestId,
    keyId: row.keyId,
    key: row.keyName,
    at: row.at.toISOString(),
    endedAt: request.endedAt?.toISOString() ?? null,
    model: row.model,
    route: row.provider,
    status: row.status,
    /** What ended it. */
    outcome: row.outcome,
    errorCode: row.errorCode,
    finishReason: request.finishReason,
    refusal: request.usageDetails?.refusal?.message ?? null,
    state: found.state,
    heldUsd: formatUsd(found.heldNanos),
    costUsd: formatUsd(found.costNanos),
    chargedUsd: formatUsd(row.chargedNanos),
    shortfallUsd: formatUsd(request.shortfallNanos),
    operatorCostUsd: costOf(request.usageDetails?.operatorCostNanos),
    usageSource: request.usageSource,
    promptTokens: row.promptTokens,
    completionTokens: row.completionTokens,
    priceVersion: request.priceId,
    priceSince: found.priceSince?.toISOString() ?? null,
    lines: detail.costLines.map(({ label, tokens, nanosPerMillion, costFemtos }) => ({
      label,
      tokens,
      usdPerMillion: nanosPerMillion === null ? null : formatUsd(toNanos(nanosPerMillion)),
      costUsd: formatFemtos(costFemtos),
    })),
    attempts: (request.attempts ?? []).map((attempt) => ({ ...attempt })),
    leaseId: found.leaseId,
    instanceId: found.instanceId,
    leaseHour: found.hour?.toISOString() ?? null,
    leaseClosedAt: found.leaseClosedAt?.toISOString() ?? null,
    firstByteMs: row.firstByteMs,
    totalMs: row.totalMs,
  };
}

async function findId(db: Db, text: string): Promise<GenerationId> {
  const given = parseGenerationId(text);
  const found =
    given === undefined && /^req_[0-9a-f]{32}$/.test(text)
      ? await findCallByRequestId(db, text)
      : given && (await findCallById(db, given));
  const id = parseGenerationId(found?.[0]?.id ?? "");
  if (id === undefined) throw noSuchCall();
  return id;
}

function costOf(nanos: string | undefined): string | null {
  return nanos === undefined ? null : formatUsd(toNanos(BigInt(nanos)));
}

function noSuchCall(): Fault {
  return new Fault("not_found", "There is no such call: it may be older than calls are kept.");
}
