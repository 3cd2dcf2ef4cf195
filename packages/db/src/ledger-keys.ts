// What proves to the database that a movement of money is wanted by a server of this installation (`require_proof.sql`):
// an HMAC under LEDGER_KEY, which the server has and the owner of the tables stored. A program that only sends statements as
// the server's role has neither.
import { createHash, createHmac } from "node:crypto";
import { SchemaUnfit } from "./check-schema.ts";
import type { Sql } from "./connect.ts";
import { connectForChecks } from "./connect-for-checks.ts";

/** The proof of some facts, in the order that the SQL function names them. */
export type LedgerProver = (...facts: readonly string[]) => Uint8Array;

const blockBytes = 64;
const innerPad = 0x36;
const outerPad = 0x5c;

export function createLedgerProver(secret: string): LedgerProver {
  return (...facts) => createHmac("sha256", keyOf(secret)).update(facts.join("\n")).digest();
}

function keyOf(secret: string): Uint8Array {
  return createHash("sha256").update(`turnpike ledger key\n${secret}`).digest();
}

/** From now on only these prove; without any, nothing has to be proven. */
export async function setLedgerKeys(sql: Sql, secrets: readonly string[]): Promise<void> {
  const keys = secrets.map(keyOf);
  await sql.begin(async (transaction) => {
    await transaction`delete from ledger_keys`;
    for (const key of keys) {
      await transaction`
        insert into ledger_keys (inner_pad, outer_pad)
        values (${padded(key, innerPad)}, ${padded(key, outerPad)}) on conflict do nothing`;
    }
  });
}

function padded(key: Uint8Array, pad: number): Buffer {
  const block = Buffer.alloc(blockBytes, pad);
  for (const [at, byte] of key.entries()) block[at] = byte ^ pad;
  return block;
}

/** Whether the database asks for proofs. Throws SchemaUnfit if it does, and not for those of this server. */
export async function checkLedgerKey(
  url: string,
  prove: LedgerProver | undefined,
): Promise<boolean> {
  const connection = connectForChecks(url);
  try {
    const proof = prove?.("start") ?? null;
    const [row] = await connection.sql<{ key: string }[]>`
      select has_ledger_key(${proof}::bytea) as key`;
    if (row?.key !== "unknown") return row?.key === "known";
    const what = prove === undefined ? "is not set" : "is not a key of this database";
    throw new SchemaUnfit(
      `LEDGER_KEY ${what}, and without it no top-up would be credited. Set it as it was for the migration, or migrate with the LEDGER_KEY of this server.`,
    );
  } finally {
    await connection.close();
  }
}
