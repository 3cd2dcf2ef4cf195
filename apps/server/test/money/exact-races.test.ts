// Three loaded processes and five keys of one account with money for exactly 180 calls: race after race,
// 180 are admitted and no more. RACES sets how many races are run.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mintApiKey } from "@turnpike/keys";
import { type Nanos, toNanos } from "@turnpike/terms";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import {
  expectCleanBooks,
  openAccount,
  openTestSite,
  readMoney,
  scripted,
  type TestAccount,
  type TestSite,
} from "../harness/index.ts";
import { askChat } from "./ask-chat.ts";
import { oddCatalog, oddModel } from "./odd-prices.ts";
import { awaitRequest, eventually } from "./read-requests.ts";
import { drainTo } from "./set-balance.ts";

const races = Number(process.env.RACES ?? 2);
setDefaultTimeout(120_000 + races * 20_000);

const k = 180;
/** All of them and the load: below the 256 connections that `fetch` of Bun opens at a time. */
const perKeyAndProcess = 15;
const loadPerProcess = 4;
const maxTokens = 200;

let site: TestSite;
let processes: SpawnedServer[];
beforeAll(async () => {
  site = await openTestSite({ catalog: oddCatalog });
  processes = await Promise.all([1, 2, 3].map(() => spawnServer(site.environment)));
});
afterAll(async () => {
  await Promise.all(processes.map((process) => process.kill()));
  await site.close();
});

test(`with money for ${k} calls, ${k} are admitted, from five keys at three loaded instances`, async () => {
  const load = startLoad(await openAccount(site));
  const total = perKeyAndProcess * 5 * processes.length;
  const holdNanos = await measureHold(await openAccount(site));
  let racer: Racer | undefined;
  for (let race = 0; race < races; race += 1) {
    // In every other race no instance has a lease of the account before it.
    if (racer === undefined || race % 2 === 0) racer = await openRacer(holdNanos);
    const outcome = await runRace(racer, `race ${String(race).padStart(7, "0")}`);
    expect({ race, ...outcome }).toEqual({
      race,
      admitted: k,
      outOfCredit: total - k,
      refusedByUpstream: k,
    });
    expect(await readMoney(site, racer.account.id)).toEqual({
      balanceNanos: racer.balanceNanos,
      heldNanos: toNanos(0n),
    });
  }
  await load.stop();
  await expectCleanBooks(site);
});

type Racer = {
  readonly account: TestAccount;
  readonly keys: readonly string[];
  readonly balanceNanos: Nanos;
};

/** A fresh account with money for `k` calls. */
async function openRacer(holdNanos: bigint): Promise<Racer> {
  const account = await openAccount(site);
  const keys = [account.key];
  while (keys.length < 5) keys.push(await mint(account, `key ${keys.length}`));
  const balanceNanos = toNanos(holdNanos * BigInt(k));
  await drainTo(site, account.id, balanceNanos);
  return { account, keys, balanceNanos };
}

async function mint(account: TestAccount, name: string): Promise<string> {
  const { key } = await mintApiKey(site.owner.db, {
    accountId: account.id,
    createdBy: account.personId,
    name,
  });
  return key;
}

/** The upstream gives no status line before `site.upstream.open(tag)`, and then refuses: the call is free. */
function gatedCall(tag: string) {
  const messages = [scripted({ tag, headGate: true, status: 400 })];
  return { model: oddModel, messages, max_tokens: maxTokens, stream: true };
}

const countAtUpstream = (tag: string) =>
  site.upstream.requests.filter((request) => request.tag === tag).length;

/** All calls at once; the admitted ones end together when every call is admitted or refused. */
async function runRace({ account, keys }: Racer, tag: string) {
  const statuses = new Map<number | undefined, number>();
  const count = (status: number | undefined) => statuses.get(status) ?? 0;
  const calls = Array.from({ length: perKeyAndProcess }, (_, index) =>
    processes.flatMap((process) =>
      keys.map(async (key) => {
        const asking = { key, name: `${tag} ${index}`, body: gatedCall(tag) };
        const { status } = await askChat(process, asking);
        statuses.set(status, count(status) + 1);
      }),
    ),
  ).flat();
  await eventually("every call to be refused or admitted", async () => {
    const ended = [...statuses.values()].reduce((sum, one) => sum + one, 0);
    return ended + countAtUpstream(tag) >= calls.length;
  });
  const admitted = countAtUpstream(tag);
  site.upstream.open(tag);
  await Promise.all(calls);
  await eventually("all holds to end", async () => {
    const { heldNanos } = await readMoney(site, account.id);
    return heldNanos === 0n;
  });
  return { admitted, outOfCredit: count(402), refusedByUpstream: count(400) };
}

/** What one such call holds, according to the books. */
async function measureHold(account: TestAccount): Promise<bigint> {
  const [first] = processes;
  if (first === undefined) throw new Error("no process");
  // As long as the tags of the races: every call holds the same.
  const tag = "hold measure";
  const asked = askChat(first, { key: account.key, name: tag, body: gatedCall(tag) });
  await eventually("the call", async () => countAtUpstream(tag) > 0);
  site.upstream.open(tag);
  await asked;
  const { heldNanos } = await awaitRequest(site, tag);
  return heldNanos;
}

/** Calls of another account at every process, one after another, until they are stopped. */
function startLoad(account: TestAccount): { readonly stop: () => Promise<void> } {
  let isStopped = false;
  const callers = processes.flatMap((process) =>
    Array.from({ length: loadPerProcess }, async () => {
      const body = { model: oddModel, messages: [scripted({ deltas: 3 })] };
      while (!isStopped) {
        const { status } = await askChat(process, { key: account.key, name: "load", body });
        if (status !== 200) throw new Error(`a call of the load was answered with ${status}`);
      }
    }),
  );
  return {
    async stop() {
      isStopped = true;
      await Promise.all(callers);
    },
  };
}
