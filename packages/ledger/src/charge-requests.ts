// Sends one batch of finished requests to the SQL function `charge_requests`: one row each, one update
// per lease, one durable commit.
import { type Failpoint, type InstanceId, parseNanos } from "@turnpike/base";
import { arrayLiteral, elementsOf, type Sql } from "@turnpike/db";
import type { Charge, Charged, RequestFacts } from "./hold.ts";
import type { Lease } from "./lease-book.ts";

/** A charge with the lease that pays for it. */
export type LeasedCharge = {
  readonly charge: Charge;
  readonly lease: Lease;
  /** The most the lease may spend on it; no more than was held in any case. */
  readonly capNanos: bigint;
  readonly late: boolean;
};

type Verdict = Charged["verdict"] | "late";

const statement = `select verdicts::text, charged::text, shortfalls::text
  from charge_requests(${Array.from({ length: 37 }, (_, index) => `$${index + 1}`).join(", ")})`;

/** `late` if the lease was closed meanwhile: then nothing was written. */
export async function chargeRequests(
  sql: Sql,
  items: readonly LeasedCharge[],
  options: { readonly instanceId: InstanceId; readonly failpoint: Failpoint },
): Promise<(Charged | "late")[]> {
  const nowMs = performance.now();
  const requests = items.map((item) => item.charge.hold.request);
  const facts = items.map((item) => item.charge.facts);
  const pending = sql
    .unsafe<{ verdicts: string; charged: string; shortfalls: string }[]>(
      statement,
      [
        options.instanceId,
        arrayLiteral(requests.map((request) => request.id)),
        arrayLiteral(requests.map((request) => request.accountId)),
        arrayLiteral(items.map((item) => item.lease.id)),
        arrayLiteral(requests.map((request) => request.keyId)),
        arrayLiteral(items.map(stateOf)),
        arrayLiteral(items.map((item) => item.charge.hold.grantedNanos)),
        arrayLiteral(items.map((item) => item.capNanos)),
        arrayLiteral(items.map((item) => item.charge.costNanos)),
        arrayLiteral(items.map((item) => Math.round(nowMs - item.charge.hold.heldAtMs))),
        arrayLiteral(requests.map((request) => request.origin)),
        arrayLiteral(requests.map((request) => storableText(request.requestId))),
        arrayLiteral(requests.map((request) => storableText(request.userAgent))),
        arrayLiteral(facts.map((fact) => storableText(fact.model))),
        arrayLiteral(facts.map((fact) => fact.priceId)),
        arrayLiteral(requests.map((request) => request.streamed)),
        arrayLiteral(facts.map((fact) => fact.promptTokens)),
        arrayLiteral(facts.map((fact) => fact.completionTokens)),
        arrayLiteral(facts.map((fact) => fact.cachedTokens)),
        arrayLiteral(facts.map((fact) => fact.cacheWriteTokens)),
        arrayLiteral(facts.map((fact) => fact.reasoningTokens)),
        arrayLiteral(facts.map((fact) => fact.usageSource)),
        arrayLiteral(facts.map((fact) => fact.maxTokens)),
        arrayLiteral(facts.map((fact) => fact.status)),
        arrayLiteral(facts.map((fact) => fact.outcome)),
        arrayLiteral(facts.map((fact) => fact.errorCode)),
        arrayLiteral(facts.map((fact) => textOrNull(fact.finishReason))),
        arrayLiteral(facts.map((fact) => textOrNull(fact.nativeFinishReason))),
        arrayLiteral(facts.map((fact) => fact.provider)),
        arrayLiteral(facts.map((fact) => textOrNull(fact.upstreamId))),
        arrayLiteral(facts.map((fact) => storableJson(fact.attempts))),
        arrayLiteral(facts.map((fact) => fact.firstByteMs)),
        arrayLiteral(facts.map((fact) => fact.overheadMs)),
        arrayLiteral(facts.map((fact) => fact.totalMs)),
        arrayLiteral(requests.map((request) => request.operation)),
        arrayLiteral(facts.map((fact) => fact.cacheWrite1hTokens ?? 0)),
        arrayLiteral(facts.map(detailsOf)),
      ],
      { prepare: true },
    )
    .execute();
  options.failpoint("settle-sent");
  const [row] = await pending;
  options.failpoint("settle-committed");
  if (row === undefined) throw new Error("the function returned no row");
  const charged = elementsOf(row.charged);
  const shortfalls = elementsOf(row.shortfalls);
  return elementsOf<Verdict>(row.verdicts).map((verdict, index) => {
    if (verdict === "late") return "late";
    return {
      verdict,
      chargedNanos: parseNanos(charged[index] ?? ""),
      shortfallNanos: parseNanos(shortfalls[index] ?? ""),
    };
  });
}

function stateOf({ charge, late }: LeasedCharge): string {
  return late && charge.state === "settled" ? "late_settled" : charge.state;
}

function detailsOf({ usageDetails }: RequestFacts): string | null {
  return usageDetails === undefined ? null : JSON.stringify(usageDetails);
}

function textOrNull(text: string | null): string | null {
  return text === null ? null : storableText(text);
}

const textMaxChars = 512;

/**
 * Any text, made storable in a column: text of callers and upstreams must never be the reason why a charge
 * fails. PostgreSQL refuses NUL, and half a surrogate pair inside jsonb.
 */
export function storableText(text: string): string {
  if (isStorable(text)) return text;
  return text.slice(0, textMaxChars).toWellFormed().replaceAll("\0", "");
}

function isStorable(text: string): boolean {
  return text.length <= textMaxChars && text.isWellFormed() && !text.includes("\0");
}

export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  // NUL and lone surrogates are written as escapes, and no string in it is longer than the whole.
  if (json.length <= textMaxChars && !json.includes("\\u")) return json;
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "string" ? storableText(part) : part,
  );
}
