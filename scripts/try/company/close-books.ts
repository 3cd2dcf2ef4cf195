// The end of the month: the ledger, the requests, every grouping of the usage and the counters of the keys have the same
// sum to the nano-dollar, and the checker of the books finds nothing.
import { checkBooks } from "@turnpike/ledger";
import { formatUsd, type Nanos, parseUsd, toNanos, zeroNanos } from "@turnpike/terms";
import { type Json, listAt, textAt } from "./ask.ts";
import type { Company } from "./found-company.ts";

export type Books = {
  readonly usageUsd: string;
  readonly requests: number;
  readonly wrong: readonly string[];
};

const groupings = [
  "member",
  "project",
  "key",
  "model",
  "provider",
  "status",
  "operation",
  "day",
  "hour",
  "project,member",
  "day,project,member,key,model",
] as const;

export async function closeBooks(company: Company, begun: Date): Promise<Books> {
  const { manage, site, topUpUsd } = company;
  const wrong: string[] = [];
  const ledger = await manage.list("/ledger");
  const usageNanos = toNanos(-sum(ledger.filter(isUsage), "amount_usd"));
  const expect = (what: string, found: Nanos, expected: Nanos) => {
    if (found === expected) return;
    wrong.push(`${what}: ${formatUsd(found)} instead of ${formatUsd(expected)}`);
  };
  const requests = await manage.list("/requests");
  expect("the requests", sum(requests, "cost_usd"), usageNanos);
  const hour = 3_600_000;
  const from = new Date(begun.getTime() - hour).toISOString();
  const to = new Date(site.now().getTime() + hour).toISOString();
  for (const grouping of groupings) {
    const path = `/usage?from=${from}&to=${to}&group_by=${grouping}&time_zone=Europe/Berlin`;
    const first = await manage.call(`GET ${path}&limit=1`);
    expect(
      `the total beside usage by ${grouping}`,
      amount(textAt(first, "total.cost_usd")),
      usageNanos,
    );
    expect(`usage by ${grouping}`, sum(await manage.list(path), "cost_usd"), usageNanos);
  }
  const keys = await manage.list("/keys?include_revoked=true");
  const spends = keys.map((key) => ({ spent: textAt(key, "spend.total.spent_usd") }));
  expect("what the keys spent", sum(spends, "spent"), usageNanos);
  const balance = amount(textAt(await manage.call("GET /balance"), "balance_usd"));
  expect("the movements of the ledger", sum(ledger, "amount_usd"), balance);
  expect("the balance", balance, toNanos(amount(topUpUsd) - usageNanos));
  for (const violation of await checkBooks(site.owner.db)) {
    wrong.push(`the books: ${JSON.stringify(violation)}`);
  }
  return { usageUsd: formatUsd(usageNanos), requests: requests.length, wrong };
}

function isUsage({ type }: Json): boolean {
  return type === "usage";
}

function sum(rows: readonly Json[], name: string): Nanos {
  const amounts = rows.map((row) => amount(textAt(row, name)));
  return amounts.reduce((total, one) => toNanos(total + one), zeroNanos);
}

/** Of a decimal that may be negative. */
function amount(usd: string): Nanos {
  const nanos = parseUsd(usd.replace(/^-/, ""));
  if (nanos === undefined) throw new Error(`not an amount: ${usd}`);
  return usd.startsWith("-") ? toNanos(-nanos) : nanos;
}

/** How often each action of the audit log was done by the management key. */
export async function countActions({ manage }: Company): Promise<ReadonlyMap<string, number>> {
  const rows = await manage.list("/audit-log");
  const counts = new Map<string, number>();
  for (const row of rows) {
    if (row.actor_kind !== "management_key") continue;
    const action = textAt(row, "action");
    counts.set(action, (counts.get(action) ?? 0) + 1);
  }
  return counts;
}

/** What is not delivered yet of an endpoint. */
export async function countWaiting({ manage }: Company, endpointId: string): Promise<number> {
  const page = await manage.call(`GET /webhooks/${endpointId}/messages?state=waiting`);
  return listAt(page, "data").length;
}
