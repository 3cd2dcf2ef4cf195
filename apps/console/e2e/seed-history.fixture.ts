// An account with a history: funds, keys in every state, and requests with every outcome, all created
// through the public API.
import { askChat } from "./ask-gateway.fixture.ts";
import { models } from "./catalog.fixture.ts";
import type { Environment } from "./environment.fixture.ts";
import { joinAs, type Member } from "./member.fixture.ts";

export type SeededHistory = {
  /** The key with most requests. */
  readonly keyId: string;
  readonly key: string;
  /** `gen-…` of a request that succeeded and of one that failed. */
  readonly goodRequest: string;
  readonly failedRequest: string;
  readonly topUpId: string;
};

export type SeededAccount = { readonly member: Member; readonly history: SeededHistory };

let seededAccount: Promise<SeededAccount> | undefined;

/** One account with a history, shared by all read-only tests. */
export function useSeededAccount(environment: Environment): Promise<SeededAccount> {
  seededAccount ??= (async () => {
    const member = await joinAs(environment);
    return { member, history: await seedHistory(environment, member) };
  })();
  return seededAccount;
}

export async function seedHistory(
  environment: Environment,
  member: Member,
): Promise<SeededHistory> {
  await member.addFunds("25");
  const { id: keyId, key } = await member.createKey("prod");
  await member.mutate("keys.update", { id: keyId, name: "production" });
  const ci = await member.createKey("ci", {
    spendLimitsUsd: { month: "1" },
    requestsPerMinute: 60,
  });
  const laptop = await member.createKey("laptop");
  const old = await member.createKey("old laptop");
  await member.mutate("keys.setDisabled", { id: laptop.id, disabled: true });
  await member.mutate("keys.revoke", { id: old.id });
  const good = [
    { model: models.large, content: script({ deltas: 900, cachedTokens: 0 }) },
    { model: models.large, content: script({ deltas: 250 }), stream: true },
    { model: models.mini, content: script({ deltas: 1_200 }) },
    { model: models.gamma, content: script({ deltas: 400, firstByteMs: 30 }), stream: true },
  ];
  for (const body of good) await drain(environment, key, body);
  for (const body of good.slice(2)) await drain(environment, ci.key, body);
  await drain(environment, key, { model: "northwind/no-such-model", content: "Hello!" });
  const failing = { model: models.large, content: script({ status: 500, error: "out of order" }) };
  await drain(environment, key, failing);
  await cancel(environment, key);
  return { keyId, key, ...(await findRequests(member)), topUpId: await findTopUp(member) };
}

const script = (fields: Readonly<Record<string, unknown>>) => `#script ${JSON.stringify(fields)}`;

type Body = { readonly model: string; readonly content: string; readonly stream?: boolean };

/** Sends a request and reads the response to the end. */
async function drain(environment: Environment, key: string, body: Body): Promise<void> {
  if (body.stream !== true) {
    await askChat(environment, key, body);
    return;
  }
  const response = await openStream(environment, key, body);
  await response.text();
}

function openStream(
  environment: Environment,
  key: string,
  { content, ...body }: Body,
  signal?: AbortSignal,
) {
  return fetch(`${environment.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...body, stream: true, messages: [{ role: "user", content }] }),
    ...(signal && { signal }),
  });
}

/** Disconnects in the middle of an answer. */
async function cancel(environment: Environment, key: string): Promise<void> {
  const controller = new AbortController();
  const content = script({ endless: true, paceMs: 5 });
  const body = { model: models.mini, content };
  const response = await openStream(environment, key, body, controller.signal);
  const reader = response.body?.getReader();
  await reader?.read();
  controller.abort();
}

/** Once the canceled request is charged too, for which its client did not wait. */
async function findRequests(member: Member) {
  const read = async () => Object.values((await member.query("logs.list")).rows ?? {});
  let rows = await read();
  while (!rows.some(({ outcome }) => outcome === "client_closed")) {
    await Bun.sleep(20);
    rows = await read();
  }
  const idOf = (status: number) => String(rows.find((row) => row.status === status)?.id);
  return { goodRequest: idOf(200), failedRequest: idOf(502) };
}

async function findTopUp(member: Member): Promise<string> {
  const rows = Object.values((await member.query("wallet.ledger", { timeZone: "UTC" })).rows ?? {});
  return String(rows.find((row) => row.type === "top_up")?.topUpId);
}
