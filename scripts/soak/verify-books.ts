// The proof at the end of a round: waits until nothing is held and no lease of a dead server is open, then
// reads the books from outside and runs the full checker.
import type { AccountId } from "@turnpike/base";
import { checkBooks } from "@turnpike/ledger";
import { judgeCalls, type RequestRow, type Violation, violation } from "./judge-calls.ts";
import type { MadeCall } from "./make-calls.ts";
import { keyLimitNanos, type SoakAccount } from "./open-accounts.ts";
import { type SoakSite, times } from "./open-site.ts";

type Site = Pick<SoakSite, "owner">;

const settlesWithinMs = 120_000;

/** A round with the requests that began after `since`, in which all calls have ended for their clients. */
export async function verifyRound(
  site: Site,
  accounts: readonly SoakAccount[],
  { made, round }: { made: readonly MadeCall[]; round: number },
): Promise<readonly Violation[]> {
  const held = await awaitSettled(site);
  const rows = await queryRows(site, round);
  const wrong = await checkBooks(site.owner.db);
  return [
    ...held,
    ...judgeCalls(made, rows),
    ...wrong.map(({ check, key }) => violation(check, { key })),
    ...(await judgeBalances(site, accounts)),
    ...(await judgeKeyLimits(site)),
  ];
}

type Unsettled = { readonly account: string; readonly lease: string | null; readonly held: string };

/** Waits; then what is still held, or reserved by a server that is dead. */
async function awaitSettled(site: Site): Promise<readonly Violation[]> {
  const startedAtMs = Date.now();
  for (;;) {
    const unsettled = await queryUnsettled(site);
    if (unsettled.length === 0) return [];
    if (Date.now() - startedAtMs > settlesWithinMs) {
      return unsettled.map((facts) => violation("nothing stays held", facts));
    }
    await Bun.sleep(500);
  }
}

function queryUnsettled({ owner }: Site): Promise<readonly Unsettled[]> {
  return owner.sql<Unsettled[]>`
    select account_id::text as account, null as lease, held_nanos::text as held
      from account_money where held_nanos <> 0
     union all
    select l.account_id::text, l.id::text, l.granted_nanos::text from leases l
     where l.closed_at is null and not exists (
       select 1 from instances i where i.id = l.instance_id and i.ended_at is null
          and i.heartbeat_at > now() - ${`${times.silentMs} milliseconds`}::interval)`;
}

/** After the servers have ended properly nothing is reserved at all. */
export async function verifyAllReleased({ owner }: Site): Promise<readonly Violation[]> {
  const rows = await owner.sql<{ account: string; held: string; leases: number }[]>`
    select a.id::text as account, a.held_nanos::text as held,
           (select count(*)::int from leases l
             where l.account_id = a.id and l.closed_at is null) as leases
      from accounts a
     where a.held_nanos <> 0
        or exists (select 1 from leases l where l.account_id = a.id and l.closed_at is null)`;
  return rows.map((facts) => violation("servers that ended reserve nothing", facts));
}

async function queryRows({ owner }: Site, round: number): Promise<readonly RequestRow[]> {
  const rows = await owner.sql<
    (Pick<RequestRow, "name" | "state" | "promptTokens" | "completionTokens"> &
      Record<"held" | "cost" | "charged" | "shortfall", string>)[]
  >`
    select user_agent as name, state, held_nanos::text as held, cost_nanos::text as cost,
           charged_nanos::text as charged, shortfall_nanos::text as shortfall,
           prompt_tokens as "promptTokens", completion_tokens as "completionTokens"
      from requests where user_agent like ${`soak-${round}-%`}`;
  return rows.map(({ held, cost, charged, shortfall, ...row }) => ({
    ...row,
    heldNanos: BigInt(held),
    costNanos: BigInt(cost),
    chargedNanos: BigInt(charged),
    shortfallNanos: BigInt(shortfall),
  }));
}

async function judgeBalances(
  { owner }: Site,
  accounts: readonly SoakAccount[],
): Promise<readonly Violation[]> {
  const rows = await owner.sql<{ id: AccountId; balance: string; charged: string }[]>`
    select m.account_id as id, m.balance_nanos::text as balance,
           coalesce(r.charged, 0)::text as charged
      from account_money m
      left join (select account_id, sum(charged_nanos) as charged from requests group by account_id) r
             on r.account_id = m.account_id`;
  return accounts.flatMap(({ id, kind, movedNanos }) => {
    const { balance = "", charged = "" } = rows.find((row) => row.id === id) ?? {};
    const facts = { id, kind, movedNanos, balance, charged };
    const wrong: Violation[] = [];
    if (movedNanos - BigInt(charged) !== BigInt(balance)) {
      wrong.push(violation("a balance is what was paid in less what calls cost", facts));
    }
    // Only a refund may take more than is there.
    if (kind !== "moved" && BigInt(balance) < 0n) {
      wrong.push(violation("no account is negative", facts));
    }
    return wrong;
  });
}

async function judgeKeyLimits({ owner }: Site): Promise<readonly Violation[]> {
  const rows = await owner.sql<{ key: string; charged: string }[]>`
    select b.subject_id::text as key, sum(r.charged_nanos)::text as charged
      from budgets b join requests r on r.account_id = b.account_id and r.key_id = b.subject_id
     where b.kind = 'key' and b.period = 'total'
     group by b.subject_id having sum(r.charged_nanos) > ${String(keyLimitNanos)}::bigint`;
  return rows.map((facts) => violation("no key spends more than its limit", facts));
}
