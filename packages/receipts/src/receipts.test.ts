import { afterAll, expect, test } from "bun:test";
import { createSealer } from "@turnpike/base";
import { connectDatabase, signingKeys } from "@turnpike/db";
import { createTestDatabase } from "@turnpike/testing";
import { eq } from "drizzle-orm";
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { createReceipts } from "./create-receipts.ts";
import { sampleCall } from "./sample-call.fixture.ts";
import { listSigningKeys, replaceOldKey, rotateSigningKey } from "./signing-keys.ts";

const database = await createTestDatabase();
const connection = connectDatabase({ url: database.url, max: 4 });
const owner = connectDatabase({ url: database.ownerUrl, max: 1 });
const { db } = connection;
const sealer = createSealer(["a key that only these tests seal with"]);
const publicUrl = "https://turnpike.test";
/** A new instance, which remembers no key. */
const open = () => createReceipts({ db, sealer, publicUrl });
afterAll(async () => {
  await Promise.all([connection.close(), owner.close()]);
  await database.drop();
});

async function verify(receipt: string) {
  const keySet = createLocalJWKSet(await open().readKeySet());
  return jwtVerify(receipt, keySet, { issuer: publicUrl, typ: "receipt+jwt" });
}

async function refusalOf(promise: PromiseLike<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (!(error instanceof Error)) return String(error);
    return error.cause instanceof Error ? error.cause.message : error.message;
  }
  throw new Error("nothing was refused");
}

test("instances that start together make one key", async () => {
  const receipts = await Promise.all(Array.from({ length: 4 }, () => open().sign(sampleCall)));
  const kids = receipts.map((receipt) => decodeProtectedHeader(receipt).kid);
  expect(new Set(kids).size).toBe(1);
  expect(await listSigningKeys(db)).toMatchObject([{ id: kids[0], retiredAt: null }]);
});

test("a receipt states images and other units that were billed, and verifies", async () => {
  const units = [{ unit: "images", variant: "1K", count: 3 }] as const;
  const usage = {
    ...sampleCall.usage,
    imagePromptTokens: 7,
    imageCompletionTokens: 30,
    units,
  };
  const { payload } = await verify(await open().sign({ ...sampleCall, operation: "image", usage }));
  expect(payload).toMatchObject({
    operation: "image",
    usage: { image_prompt_tokens: 7, image_completion_tokens: 30, units },
  });
});

test("a receipt states the call, exactly, and nothing about who made it", async () => {
  const { payload, protectedHeader } = await verify(await open().sign(sampleCall));
  expect(protectedHeader).toMatchObject({ alg: "EdDSA", typ: "receipt+jwt" });
  const { iat, ...claims } = payload;
  expect(Math.abs(Number(iat) - Date.now() / 1_000)).toBeLessThan(60);
  expect(claims).toEqual({
    iss: publicUrl,
    jti: sampleCall.id,
    generation_id: sampleCall.id,
    request_id: sampleCall.requestId,
    created_at: "2026-03-04T05:06:07.890Z",
    operation: "chat",
    model: "test/cheap",
    provider: "second",
    upstream_id: "chatcmpl-upstream",
    state: "settled",
    outcome: "completed",
    service_tier: null,
    cached_from: null,
    usage: {
      source: "upstream",
      prompt_tokens: 12,
      completion_tokens: 34,
      cached_tokens: 5,
      cache_write_tokens: 0,
      reasoning_tokens: 6,
    },
    price_version: "0195a000-0000-7000-8000-000000000001",
    price_markup_percent: -12.5,
    cost_usd: "0.000012345",
    attempts: [
      { provider: "first", model: "cheap-1", status: null, error: "connection refused" },
      { provider: "second", model: "cheap-2", status: 200, error: null },
    ],
  });
});

test("no part of a receipt can be changed", async () => {
  const receipt = await open().sign(sampleCall);
  const [header = "", payload = "", signature = ""] = receipt.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const cheaper = Buffer.from(JSON.stringify({ ...claims, cost_usd: "0" })).toString("base64url");
  expect(await refusalOf(verify(`${header}.${cheaper}.${signature}`))).toContain("signature");
  const none = Buffer.from('{"alg":"none","typ":"receipt+jwt"}').toString("base64url");
  await refusalOf(verify(`${none}.${payload}.`));
});

test("receipts of every earlier key verify, and only the current key can sign", async () => {
  const receipts: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    receipts.push(await open().sign(sampleCall));
    await rotateSigningKey(db, sealer);
  }
  receipts.push(await open().sign(sampleCall));
  for (const receipt of receipts) await verify(receipt);
  expect(new Set(receipts.map((receipt) => decodeProtectedHeader(receipt).kid)).size).toBe(4);
  const keys = await db.select().from(signingKeys);
  const usable = keys.filter(({ retiredAt }) => retiredAt === null);
  expect(usable).toHaveLength(1);
  const retired = keys.filter(({ retiredAt }) => retiredAt !== null);
  expect(retired.every(({ sealedPrivate }) => sealedPrivate === null)).toBe(true);
});

test("rotations at the same time leave one key that signs", async () => {
  await Promise.all(Array.from({ length: 4 }, () => rotateSigningKey(db, sealer)));
  const keys = await listSigningKeys(db);
  expect(keys.filter(({ retiredAt }) => retiredAt === null)).toHaveLength(1);
  await verify(await open().sign(sampleCall));
});

test("the job replaces a key after 90 days, and no younger one", async () => {
  const days = (count: number) => new Date(Date.now() + count * 86_400_000);
  expect(await replaceOldKey(db, sealer)).toBeUndefined();
  expect(await replaceOldKey(db, sealer, days(89))).toBeUndefined();
  const before = (await listSigningKeys(db)).find(({ retiredAt }) => retiredAt === null);
  const replaced = await replaceOldKey(db, sealer, days(91));
  expect(replaced?.replacedId).toBe(String(before?.id));
});

test("neither the server's role nor the owner can withdraw or exchange a published key", async () => {
  const [key] = await listSigningKeys(db);
  const ofKey = eq(signingKeys.id, String(key?.id));
  const set = { publicKey: { kty: "OKP", crv: "Ed25519", x: "AAAA" } } as const;
  for (const role of [connection.db, owner.db]) {
    const expected = role === owner.db ? "append-only" : "permission denied";
    expect(await refusalOf(role.delete(signingKeys).where(ofKey))).toContain(expected);
    expect(await refusalOf(role.update(signingKeys).set(set).where(ofKey))).toContain(expected);
  }
});

test("the database contains no private part that opens without SEALING_KEY", async () => {
  await open().sign(sampleCall);
  const rows = await owner.sql`select signing_keys::text as text, sealed_private from signing_keys`;
  for (const { text, sealed_private: sealed } of rows) {
    expect(text).not.toContain('"d"');
    expect(Buffer.from(sealed ?? []).toString("latin1")).not.toContain('"d"');
  }
  const other = createSealer(["another key, which sealed nothing here"]);
  const receipts = createReceipts({ db, sealer: other, publicUrl });
  expect(await refusalOf(receipts.sign(sampleCall))).toContain("SEALING_KEY does not open");
});

test("without SEALING_KEY there are no receipts, and the published keys stay", async () => {
  const receipts = createReceipts({ db, sealer: undefined, publicUrl });
  expect(await refusalOf(receipts.sign(sampleCall))).toBe("This installation signs no receipts.");
  expect((await receipts.readKeySet()).keys.length).toBeGreaterThan(0);
});
