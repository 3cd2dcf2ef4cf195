// Constant load on a server while a test breaks something, and the proof that follows: every answer
// that arrived completely is billed once, and the account paid for nothing else.
import { expect } from "bun:test";
import { checkBooks } from "@turnpike/ledger";
import {
  chatBody,
  readMoney,
  recallHeld,
  type TestAccount,
  type TestSite,
} from "../harness/index.ts";
import { askChat } from "../money/ask-chat.ts";
import { eventually } from "../money/read-requests.ts";

const callers = 8;
/** Tokens of an answer. */
export const deltas = 5;
const openedWith = 10_000_000_000n;

export type Calls = {
  /** Resolves when a call that began after this was answered completely. */
  readonly awaitAnswers: () => Promise<void>;
  /** Resolves when a call was refused with 503 after this. */
  readonly awaitRefusal: () => Promise<void>;
  readonly end: () => Promise<CallsMade>;
};

export type CallsMade = {
  /** The names of calls whose answers arrived completely; the names are their `user_agent`. */
  readonly answered: readonly string[];
  /** Includes `undefined` if a connection broke before the status line. */
  readonly statuses: ReadonlySet<number | undefined>;
};

/** Whole answers and streams in turn, without a pause while they succeed. */
export function startCalls(
  server: { readonly baseUrl: string },
  account: TestAccount,
  prefix = "call",
): Calls {
  const answered: string[] = [];
  const statuses = new Set<number | undefined>();
  let refused = 0;
  let isOver = false;
  const call = async (name: string, stream: boolean) => {
    const body = { ...chatBody({ deltas }), stream };
    const { complete, status } = await askChat(server, { key: account.key, name, body });
    statuses.add(status);
    if (status === 503) refused += 1;
    if (complete) answered.push(name);
    else await Bun.sleep(20);
  };
  const calling = Array.from({ length: callers }, async (_, caller) => {
    for (let nth = 0; !isOver; nth += 1) {
      await call(`${account.keyId} ${prefix} ${caller} ${nth}`, nth % 2 === 0);
    }
  });
  return {
    async awaitAnswers() {
      const before = answered.length;
      await eventually("calls to be answered", async () => answered.length > before + callers);
    },
    async awaitRefusal() {
      const before = refused;
      await eventually("a call to be refused", async () => refused > before);
    },
    async end() {
      isOver = true;
      await Promise.all(calling);
      return { answered, statuses };
    },
  };
}

/** Once nothing is held for the account any more; it was opened with 10 USD and only called. */
export async function expectBilledOnce(
  { owner }: Pick<TestSite, "owner">,
  account: TestAccount,
  answered: readonly string[],
): Promise<void> {
  await eventually("everything to be charged or released", async () => {
    // The database may still recover.
    const held = await recallHeld(owner).catch(() => undefined);
    return held?.includes(account.id) === false;
  });
  const rows = await owner.sql<{ name: string; state: string; tokens: number; charged: string }[]>`
    select user_agent as name, state, completion_tokens::int as tokens,
           charged_nanos::text as charged
      from requests where account_id = ${account.id}`;
  const byName = Map.groupBy(rows, ({ name }) => name);
  for (const name of answered) {
    const states = (byName.get(name) ?? []).map(({ state, tokens }) => `${state} ${tokens}`);
    expect([name, ...states]).toEqual([
      name,
      expect.stringMatching(new RegExp(`^(late_)?settled ${deltas}$`)),
    ]);
  }
  const spent = rows.reduce((sum, { charged }) => sum + BigInt(charged), 0n);
  expect<bigint>((await readMoney({ owner }, account.id)).balanceNanos).toBe(openedWith - spent);
  expect(await checkBooks(owner.db)).toEqual([]);
}
