// Sends one batch of finished requests to the SQL function `charge_requests`, or a single one to
// `charge_single_request`: one row each, one update per lease, one durable commit.
import { type Failpoint, type InstanceId, parseNanos } from "@turnpike/base";
import { arrayLiteral, elementsOf, type Sql } from "@turnpike/db";
import type { Charge, Charged, RequestFacts } from "./hold.ts";
import type { Lease } from "./lease.ts";

/** A charge with the lease that pays for it. */
export type LeasedCharge = {
  readonly charge: Charge;
  readonly lease: Lease;
  /** The most the lease may spend on it; no more than was held in any case. */
  readonly capNanos: bigint;
  readonly late: boolean;
};

type Verdict = Charged["verdict"] | "late";

type Scalar = string | number | bigint | boolean | null;

/**
 * The parameters of both functions behind the instance, in their order: of each a value, or an array with an
 * element per request.
 */
const columns: readonly ((item: LeasedCharge, nowMs: number) => Scalar)[] = [
  ({ charge }) => charge.hold.request.id,
  ({ charge }) => charge.hold.request.accountId,
  ({ lease }) => lease.id,
  ({ charge }) => charge.hold.request.keyId,
  stateOf,
  ({ charge }) => charge.hold.grantedNanos,
  ({ capNanos }) => capNanos,
  ({ charge }) => charge.costNanos,
  ({ charge }, nowMs) => Math.round(nowMs - charge.hold.heldAtMs),
  ({ charge }) => charge.hold.request.origin,
  ({ charge }) => storableText(charge.hold.request.requestId),
  ({ charge }) => storableText(charge.hold.request.userAgent),
  ({ charge }) => storableText(charge.facts.model),
  ({ charge }) => charge.facts.priceId,
  ({ charge }) => charge.hold.request.streamed,
  ({ charge }) => charge.facts.promptTokens,
  ({ charge }) => charge.facts.completionTokens,
  ({ charge }) => charge.facts.cachedTokens,
  ({ charge }) => charge.facts.cacheWriteTokens,
  ({ charge }) => charge.facts.reasoningTokens,
  ({ charge }) => charge.facts.usageSource,
  ({ charge }) => charge.facts.maxTokens,
  ({ charge }) => charge.facts.status,
  ({ charge }) => charge.facts.outcome,
  ({ charge }) => charge.facts.errorCode,
  ({ charge }) => textOrNull(charge.facts.finishReason),
  ({ charge }) => textOrNull(charge.facts.nativeFinishReason),
  ({ charge }) => charge.facts.provider,
  ({ charge }) => textOrNull(charge.facts.upstreamId),
  ({ charge }) => storableJson(charge.facts.attempts),
  ({ charge }) => charge.facts.firstByteMs,
  ({ charge }) => charge.facts.overheadMs,
  ({ charge }) => charge.facts.totalMs,
  ({ charge }) => charge.hold.request.operation,
  ({ charge }) => charge.facts.cacheWrite1hTokens ?? 0,
  ({ charge }) => detailsOf(charge.facts),
  ({ charge }) => textOrNull(charge.hold.request.app),
  ({ charge }) => textOrNull(charge.hold.request.endUser),
];

const parameters = Array.from({ length: columns.length + 1 }, (_, index) => `$${index + 1}`);
const batchStatement = `select verdicts::text, charged::text, shortfalls::text
  from charge_requests(${parameters.join(", ")})`;
const singleStatement = `select '{' || verdict || '}' as verdicts, '{' || charged || '}' as charged,
    '{' || shortfall || '}' as shortfalls
  from charge_single_request(${parameters.join(", ")})`;

/** `late` if the lease was closed meanwhile: then nothing was written. */
export async function chargeRequests(
  sql: Sql,
  items: readonly LeasedCharge[],
  options: { readonly instanceId: InstanceId; readonly failpoint: Failpoint },
): Promise<(Charged | "late")[]> {
  const single = items.length === 1 ? items[0] : undefined;
  const pending = sql
    .unsafe<{ verdicts: string; charged: string; shortfalls: string }[]>(
      single === undefined ? batchStatement : singleStatement,
      [options.instanceId, ...(single === undefined ? writeColumns(items) : writeSingle(single))],
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

function writeSingle(item: LeasedCharge): (string | number | boolean | null)[] {
  const nowMs = performance.now();
  return columns.map((read) => {
    const value = read(item, nowMs);
    // The driver takes no bigint.
    return typeof value === "bigint" ? value.toString() : value;
  });
}

/** One array serves all columns: a batch has dozens of them. */
function writeColumns(items: readonly LeasedCharge[]): string[] {
  const nowMs = performance.now();
  const values: Scalar[] = [];
  return columns.map((read) => {
    for (let index = 0; index < items.length; index += 1) {
      const item = items[index];
      if (item !== undefined) values[index] = read(item, nowMs);
    }
    return arrayLiteral(values);
  });
}

function stateOf({ charge, late }: LeasedCharge): string {
  return late && charge.state === "settled" ? "late_settled" : charge.state;
}

function detailsOf({ usageDetails }: RequestFacts): string | null {
  return usageDetails === undefined ? null : JSON.stringify(usageDetails);
}

export function textOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : storableText(text);
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
