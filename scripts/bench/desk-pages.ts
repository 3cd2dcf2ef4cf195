// What operators ask about an installation with very many accounts and calls: each way of finding, an account, and money.
import type { Connection } from "@turnpike/db";
import { type OperatorServices, verbs } from "@turnpike/operator";
import type { LargeAccount } from "./fill-usage.ts";

export type Page = readonly [title: string, read: () => Promise<unknown>];

const by = { role: "owner", name: "bench" } as const;

export async function openDeskPages(
  owner: Connection,
  large: LargeAccount,
): Promise<readonly Page[]> {
  const services = asServices({ db: owner.db });
  const find = (text: string) => () => verbs.desk.find.run(services, by, { text });
  const account = large.accountId;
  const ways = Object.entries(await querySamples(owner, large)).map(
    ([name, text]): Page => [`find by ${name}`, find(text)],
  );
  const money = (days: number, group: "day" | "account" | "route") => (): Promise<unknown> =>
    verbs.money.report.run(services, by, { by: group, order: "revenue", days });
  return [
    ...ways,
    ["an account", () => verbs.account.show.run(services, by, { account })],
    ["its timeline", () => verbs.account.timeline.run(services, by, { account })],
    ["money, 30 days by day", money(30, "day")],
    ["money, 30 days by account", money(30, "account")],
    ["money, 7 days by route", money(7, "route")],
  ];
}

/** One that exists, in the middle of all, for each way. */
async function querySamples(
  { sql }: Connection,
  { accountId }: LargeAccount,
): Promise<Readonly<Record<string, string>>> {
  const [call] = await sql<{ id: string; trace: string }[]>`
    select id::text, trace_id as trace from requests where account_id = ${accountId}
     and id > uuid7_floor(now() - interval '45 days') order by id limit 1`;
  const [key] = await sql<{ masked: string; payment: string; usd: string }[]>`
    select k.masked, t.payment_intent_id as payment, (t.amount_nanos / 1e9)::numeric(20, 9)::text as usd
      from api_keys k join top_ups t on t.account_id = k.account_id offset 50000 limit 1`;
  return {
    "email address": "person-50000@example.com",
    "how an address begins": "person-5000",
    "how a name begins": "Person 5000",
    "a key's last four": (key?.masked ?? "").slice(-4),
    "what is shown of a key": key?.masked ?? "",
    "request id": call?.trace ?? "",
    "generation id": `gen-${(call?.id ?? "").replaceAll("-", "")}`,
    "id of Stripe": key?.payment ?? "",
    amount: key?.usd ?? "",
  };
}

/** What these verbs read of the services: nothing else of them is used. */
function asServices(services: unknown): OperatorServices {
  return services as OperatorServices;
}
