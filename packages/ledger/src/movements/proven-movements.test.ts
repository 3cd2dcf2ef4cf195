// Where the database has keys that prove movements, statements of the server's role alone make no money: no credit of a
// forged order, no reinstatement, nothing in the name of an operator.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "@turnpike/base";
import { checkLedgerKey, createLedgerProver, type LedgerProver, migrate } from "@turnpike/db";
import { toNanos } from "@turnpike/terms";
import { openTestBooks, type Principal, type TestBooks } from "../open-test-books.fixture.ts";
import { type Movement, postMovement } from "./post-movement.ts";

const key = "k".repeat(40);
const formerKey = "f".repeat(40);
const prove = createLedgerProver(key);
const refused = "needs the proof of a server";

let books: TestBooks;
let payer: Principal;
beforeAll(async () => {
  books = await openTestBooks();
  payer = await books.newPrincipal(0n);
  await askProofsOf([key, formerKey]);
});
afterAll(async () => {
  expect(await books.check()).toEqual([]);
  await books.close();
});

const askProofsOf = (ledgerKeys: readonly string[]) =>
  migrate({ url: books.database.ownerUrl, ledgerKeys });

async function refusalOf(forgery: Promise<unknown>): Promise<string> {
  try {
    await forgery;
  } catch (error) {
    return `${error} ${error instanceof Error ? error.cause : ""}`;
  }
  return "not refused";
}

function movementOf(changes: Partial<Movement>): Movement {
  return {
    accountId: payer.accountId,
    amountNanos: toNanos(500n),
    kind: "top_up",
    book: "stripe_clearing",
    idempotencyKey: "stripe:pi_forged",
    reason: "forged",
    actor: "stripe",
    ...changes,
  };
}

/** What the server does for a payment, and what the role could do without one. */
async function creditOrder(intent: string, by: LedgerProver | undefined): Promise<string> {
  const id = newId();
  await books.app.db.transaction(async (tx) => {
    await tx.execute(
      `insert into top_ups (id, account_id, amount_nanos, processor, livemode, checkout_session_id)
       values ('${id}', '${payer.accountId}', 500, 'stripe', true, 'cs_${id}')`,
    );
    await postMovement(tx, movementOf({ idempotencyKey: `stripe:${intent}` }), by);
    await tx.execute(
      `update top_ups set state = 'paid', credited_nanos = 500, payment_intent_id = '${intent}'
        where id = '${id}'`,
    );
  });
  return id;
}

test("a forged order, marked stripe and live, is credited only with the proof of a server", async () => {
  expect(await refusalOf(creditOrder("pi_forged", undefined))).toContain(refused);
  const unknownProver = createLedgerProver("s".repeat(40));
  expect(await refusalOf(creditOrder("pi_forged", unknownProver))).toContain(refused);
  const replayed: LedgerProver = () => prove("movement", "top_up", "stripe:pi_other");
  expect(await refusalOf(creditOrder("pi_forged", replayed))).toContain(refused);
  expect(await books.money(payer.accountId)).toMatchObject({ balance: 0n });
  await creditOrder("pi_paid", prove);
  // While servers change over to the new key, one after the other.
  await creditOrder("pi_rotated", createLedgerProver(formerKey));
  expect(await books.money(payer.accountId)).toMatchObject({ balance: 1_000n });
});

test("what was refunded or disputed is not given back without a proof, and nothing is taken", async () => {
  const id = await creditOrder("pi_reversed", prove);
  const before = await books.money(payer.accountId);
  for (const [kind, book] of [
    ["refund", "refunds"],
    ["dispute", "disputes"],
  ] as const) {
    for (const nanos of [100n, -100n]) {
      const movement = movementOf({
        kind,
        book,
        amountNanos: toNanos(nanos),
        idempotencyKey: `${kind}:${id}:1`,
      });
      expect(await refusalOf(postMovement(books.app.db, movement))).toContain(refused);
    }
  }
  expect(await books.money(payer.accountId)).toEqual(before);
});

describe("in the name of an operator who is an owner with a second factor", () => {
  const operator = newId();
  const send = (statement: string) => books.app.sql.unsafe(statement);
  const terms = '[{"models": "*", "markupBasisPoints": -10000}]';
  const acts: Readonly<Record<string, () => [statement: string, facts: readonly string[]]>> = {
    "an adjustment": () => [
      `select * from post_adjustment(null, 'k', 'r', '${operator}', '${payer.accountId}', 7, PROOF)`,
      ["adjustment", operator, "k", payer.accountId, "7"],
    ],
    "a credit limit": () => [
      `select set_credit_limit('${payer.accountId}', 0, '${operator}', PROOF)`,
      ["credit_limit", operator, payer.accountId, "0"],
    ],
    "agreed prices": () => [
      `select set_price_terms('${payer.accountId}', '${terms}', '${operator}', '${terms}', PROOF)`,
      ["price_terms", operator, payer.accountId, terms],
    ],
    "the end of agreed prices": () => [
      `select set_price_terms('${payer.accountId}', null, '${operator}', null, PROOF)`,
      ["price_terms", operator, payer.accountId],
    ],
    "another operator": () => [
      `select set_operator('${operator}', 'owner', '${operator}', 'me', PROOF)`,
      ["operator", operator, operator, "owner"],
    ],
  };
  beforeAll(async () => {
    await books.owner.sql`insert into persons (id, email) values (${operator}, 'op@example.com')`;
    await books.owner.sql`
      insert into operators (person_id, role, granted_by) values (${operator}, 'owner', 'test')`;
    await books.owner.sql`
      insert into factors (id, person_id, kind, name, secret, confirmed_at)
      values (${newId()}, ${operator}, 'totp', 'app', 'sealed', now())`;
  });

  test.each(Object.keys(acts).map((name) => [name]))("%s needs a proof", async (name) => {
    const [statement = "", facts = []] = acts[name]?.() ?? [];
    for (const proof of ["null", "'\\x00'", literal(prove("start"))]) {
      expect(await refusalOf(send(statement.replace("PROOF", proof)))).toContain(refused);
    }
    await send(statement.replace("PROOF", literal(prove(...facts))));
  });

  test("a proof of some terms proves no others", async () => {
    const proof = literal(prove("price_terms", operator, payer.accountId, "[]"));
    const statement = `select set_price_terms('${payer.accountId}', '${terms}', '${operator}', '[]', ${proof})`;
    expect(await refusalOf(send(statement))).toContain(refused);
  });
});

const literal = (proof: Uint8Array) => `'\\x${Buffer.from(proof).toString("hex")}'::bytea`;

test("the server's role neither reads nor writes the keys, and proves nothing by itself", async () => {
  for (const statement of [
    "select * from ledger_keys",
    "delete from ledger_keys",
    "insert into ledger_keys values ('a', 'b')",
    "select is_proof('start', null)",
    "select require_proof('start', null)",
  ]) {
    expect(await refusalOf(books.app.sql.unsafe(statement))).toContain("permission denied");
  }
});

test("a server learns at its start that its key is not that of the database", async () => {
  const { url } = books.database;
  expect(await checkLedgerKey(url, prove)).toBe(true);
  await expect(checkLedgerKey(url, undefined)).rejects.toThrow("LEDGER_KEY is not set");
  const other = createLedgerProver("o".repeat(40));
  await expect(checkLedgerKey(url, other)).rejects.toThrow("is not a key of this database");
});

test("a migration without LEDGER_KEY keeps the keys, one with none ends them", async () => {
  const { ownerUrl, url } = books.database;
  await migrate({ url: ownerUrl });
  expect(await refusalOf(creditOrder("pi_kept", undefined))).toContain(refused);
  await askProofsOf([]);
  expect(await checkLedgerKey(url, undefined)).toBe(false);
  await creditOrder("pi_unasked", undefined);
});
