// The receipt of a call, from the API to a program that has nothing but two files: what it says is what was booked,
// and it verifies after the key was replaced.
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rotateSigningKey } from "@turnpike/receipts";
import { decodeJwt } from "jose";
import {
  asObject,
  billCheap,
  chatBody,
  expectCallHeaders,
  expectFault,
  getPath,
  openAccount,
  postChat,
  readJson,
  startTestServer,
  usdNumber,
  useServer,
} from "../harness/index.ts";

const { server, account } = await useServer(
  startTestServer({ environment: { SEALING_KEY: "a-key-that-only-this-test-seals-with" } }),
);

async function complete() {
  const response = await postChat(server, account.key, chatBody({ deltas: 5 }));
  const body = await readJson(response);
  const id = String(response.headers.get("x-generation-id"));
  return { id, chatId: String(body.id), costNanos: billCheap(body.usage) };
}

const read = (id: string, key = account.key) => getPath(server, key, `/generation/${id}/receipt`);

async function readReceipt(id: string): Promise<string> {
  const response = await read(id);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/jwt");
  expectCallHeaders(response.headers);
  return response.text();
}

test("a receipt says what /v1/generation says, under each id of the call", async () => {
  const { id, chatId, costNanos } = await complete();
  const claims = decodeJwt(await readReceipt(id));
  const generation = await readJson(await getPath(server, account.key, `/generation?id=${id}`));
  const data = asObject(generation.data);
  expect(claims).toMatchObject({
    iss: server.services.config.PUBLIC_URL,
    jti: id,
    model: data.model,
    provider: data.provider_name,
    price_version: data.price_version,
    price_markup_percent: null,
    cost_usd: data.cost_usd,
    created_at: data.created_at,
    usage: { prompt_tokens: data.tokens_prompt, completion_tokens: data.tokens_completion },
  });
  expect(Number(claims.cost_usd)).toBe(usdNumber(costNanos));
  expect(JSON.stringify(claims)).not.toContain(account.id);
  expect(decodeJwt(await readReceipt(chatId)).jti).toBe(id);
});

test("the program of docs/receipts.md verifies a receipt offline, also after the key was replaced", async () => {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-receipt-"));
  try {
    const receipt = await readReceipt((await complete()).id);
    const { sealer, database } = server.services;
    if (sealer === undefined) throw new Error("SEALING_KEY was not read");
    await rotateSigningKey(database.db, sealer);
    // The instance remembers the published keys for a second.
    const published = () => fetch(`${server.url}/.well-known/jwks.json`);
    let keySet = await (await published()).text();
    while (JSON.parse(keySet).keys.length < 2) keySet = await (await published()).text();
    expect(keySet).not.toContain('"d"');
    const headers = (await published()).headers;
    expect(headers.get("content-type")).toBe("application/jwk-set+json");
    expect(headers.get("access-control-allow-origin")).toBe("*");

    const docs = readFileSync(join(import.meta.dir, "../../../../docs/receipts.md"), "utf8");
    const [, program = ""] = /```js\n([\s\S]+?)```/.exec(docs) ?? [];
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    // It finds the library where the test does.
    const linked = program.replace(
      '"jose"',
      JSON.stringify(Bun.resolveSync("jose", import.meta.dir)),
    );
    expect(linked).not.toBe(program);
    const verify = async (text: string, issuer = server.services.config.PUBLIC_URL) => {
      const args = [file("receipt.jws", text), file("jwks.json", keySet), issuer];
      const child = Bun.spawn([process.execPath, file("verify.mjs", linked), ...args], {
        stdout: "pipe",
        stderr: "pipe",
      });
      return { code: await child.exited, out: await new Response(child.stdout).text() };
    };
    const { model, cost_usd: cost } = decodeJwt(receipt);
    const verified = await verify(`${receipt}\n`);
    expect(verified.code).toBe(0);
    expect(verified.out).toStartWith(`${model} cost $${cost} at `);
    const [head = "", payload = "", signature = ""] = receipt.split(".");
    const claims = { ...decodeJwt(receipt), cost_usd: "0" };
    const forged = Buffer.from(JSON.stringify(claims)).toString("base64url");
    expect(payload).not.toBe(forged);
    expect((await verify(`${head}.${forged}.${signature}`)).code).not.toBe(0);
    expect((await verify(receipt, "https://other.example")).code).not.toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("another account, an unknown id and a missing key get no receipt", async () => {
  const { id } = await complete();
  const other = await openAccount(server);
  const missing = { status: 404, code: "generation_not_found", param: "id" };
  await expectFault(await read(id, other.key), missing);
  await expectFault(await read("gen-nothing"), missing);
  const anonymous = await getPath(server, undefined, `/generation/${id}/receipt`);
  expect(anonymous.status).toBe(401);
});

test("a server without SEALING_KEY answers 404 and publishes an empty set", async () => {
  const plain = await startTestServer();
  try {
    const { key } = await openAccount(plain);
    const response = await postChat(plain, key, chatBody({}));
    const id = response.headers.get("x-generation-id");
    await response.body?.cancel();
    await expectFault(await getPath(plain, key, `/generation/${id}/receipt`), {
      status: 404,
      code: "not_found",
    });
    const keySet = await fetch(`${plain.url}/.well-known/jwks.json`);
    expect(await keySet.json()).toEqual({ keys: [] });
  } finally {
    await plain.close();
  }
});
