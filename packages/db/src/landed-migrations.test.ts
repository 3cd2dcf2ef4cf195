// A migration that has landed is never edited: a database that applied it would keep what the old text
// made, under code that was written for the new one.
import { expect, test } from "bun:test";
import { join } from "node:path";

const folder = join(import.meta.dir, "../../../drizzle");

/**
 * The SHA-256 of each landed migration. A new one adds a line here when it lands, with the hash
 * that `sha256sum drizzle/NNNN_name.sql` prints. If the test reports another hash, restore the
 * file and put the change into a new migration; the text of a function belongs in
 * `drizzle/functions/`.
 */
const landed: Readonly<Record<string, string>> = {
  "0074_release_0_1_0": "e1193e08c9f589245b9351973fe87cf203c4cedfebdfaf3741d6c3a74403d767",
  "0075_attempt_of_a_call": "a541e5df09ef6e38918dce7864b9177150d00159b5f3ee6630a12a77ed95bae9",
  "0076_operations_and_units": "b0d7288a26140b63e17c551a1e23b07abb314f8be924ab42e092f924249273a9",
  "0077_objects": "785c2d28000759efb16a9899e1b9ce28abd1daf5d6b360a3fe234c9743b8635c",
  "0078_batches": "ef0e8e592fb0bc19d7fae35a1d61ce9c707a1e09917099500feb6b2788ffbb61",
  "0079_batch_forms": "563aeef8685c7ae0088c3591acb6e822f5633e18aa48fcc681f00b81bc30bbcf",
  "0080_stored_responses": "56d2c083b1a25c0ce5189a53fdabf4d8cb784ea9f3490d69e02cd736c5f98f78",
  "0081_responses_by_default": "e67736770fef33342a3fd242289b54c2454b9a5a9924b1cb9b04f4bbe0f96b09",
  "0082_runs": "52198f8651d18bd862dc448a91a1afac6bf4225bb237b3ce0622459f5dfbf7fa",
};

test("landed migrations are unchanged, and every migration is in the list", async () => {
  const { entries } = await Bun.file(join(folder, "meta/_journal.json")).json();
  const found: Record<string, string> = {};
  for (const { tag } of entries as { tag: string }[]) {
    const text = await Bun.file(join(folder, `${tag}.sql`)).arrayBuffer();
    found[tag] = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  }
  expect(found).toEqual(landed);
});

test("each migration is newer than the one before it: an older one would never be applied", async () => {
  const { entries } = await Bun.file(join(folder, "meta/_journal.json")).json();
  const times = (entries as { when: number }[]).map((entry) => entry.when);
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
});
