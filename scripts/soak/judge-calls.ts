// Compares what clients and the upstream saw with the rows of requests: every complete answer is charged its
// price exactly once, a refusal nothing, and no call more than once or more than it held.
import type { MadeCall } from "./make-calls.ts";
import { type Call, priceOf } from "./plan-call.ts";

export type RequestRow = {
  /** The user agent. */
  readonly name: string;
  readonly state: string;
  readonly heldNanos: bigint;
  readonly costNanos: bigint;
  readonly chargedNanos: bigint;
  readonly shortfallNanos: bigint;
  readonly promptTokens: number;
  readonly completionTokens: number;
};

export type Violation = { readonly promise: string; readonly detail: string };

/** Empty if every promise was kept. `rows` are all requests of these calls. */
export function judgeCalls(
  made: readonly MadeCall[],
  rows: readonly RequestRow[],
): readonly Violation[] {
  const byName = Map.groupBy(rows, ({ name }) => name);
  const names = new Set(made.map(({ call }) => call.name));
  const strange = rows.filter(({ name }) => !names.has(name));
  return [
    ...strange.map((row) => violation("every request is a call that was made", row)),
    ...made.flatMap((each) => judgeCall(each, byName.get(each.call.name) ?? [])),
  ];
}

/** The answer was complete, but its charge was not confirmed in time: it may follow. 529 in messages. */
const unconfirmed: readonly number[] = [503, 529];

function judgeCall({ call, outcome }: MadeCall, rows: readonly RequestRow[]): Violation[] {
  const wrong: Violation[] = [];
  const hold = (promise: string, isKept: boolean) => {
    if (!isKept) wrong.push(violation(promise, { call: describe(call), outcome, rows }));
  };
  const [row] = rows;
  hold("a call has one request at most", rows.length <= 1);
  const charged = rows.reduce((sum, { chargedNanos }) => sum + chargedNanos, 0n);
  const held = row?.heldNanos ?? 0n;
  hold("no call is charged more than it held", charged <= held);
  hold("a call that reached no provider is free", call.seen.attempts > 0 || charged === 0n);
  if (outcome.kind === "refused") {
    hold("a refusal that says so is free", !outcome.saysFree || charged === 0n);
    hold("a refused call is free", unconfirmed.includes(outcome.status) || charged === 0n);
  }
  if (outcome.kind !== "complete") return wrong;
  hold("a complete answer is settled", /^(late_)?settled$/.test(row?.state ?? ""));
  if (row === undefined) return wrong;
  const price = expectedNanos(call, row);
  hold("a complete answer costs its price", price === undefined || row.costNanos === price);
  const paid = charged + row.shortfallNanos;
  hold("a complete answer is charged its cost", paid === row.costNanos);
  hold("only a late charge falls short", row.shortfallNanos === 0n || isLateOrBounded(call, row));
  return wrong;
}

function isLateOrBounded({ billing }: Call, { state }: RequestRow): boolean {
  return state === "late_settled" || billing === "bounded";
}

/** Undefined if the price is not known from outside. */
function expectedNanos(call: Call, row: RequestRow): bigint | undefined {
  const { inputNanos, outputNanos } = call.model;
  switch (call.billing) {
    case "reported":
      return priceOf(call);
    case "counted":
      return BigInt(row.promptTokens) * inputNanos + BigInt(row.completionTokens) * outputNanos;
    case "free":
      return 0n;
    case "bounded":
      return undefined;
  }
}

function describe({ account, scripts, seen, billing, ...call }: Call): object {
  const { kind } = account;
  const { name, protocol, streamed, model } = call;
  return { name, kind, protocol, streamed, model: model.id, billing, seen, scripts };
}

export function violation(promise: string, facts: unknown): Violation {
  const detail = JSON.stringify(facts, (_, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  return { promise, detail };
}
