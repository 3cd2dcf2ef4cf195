// A receipt verifies offline in Python, with a library that shares no code with ours: from the receipt and the published
// keys alone, also after the key that signed it was replaced, and not with one byte changed.
import { expect, test } from "bun:test";
import { rotateSigningKey } from "@turnpike/receipts";
import { preparePackages } from "@turnpike/testing";
import { chatBody, getPath, postChat, startTestServer, useServer } from "../harness/index.ts";

const { server, account } = await useServer(
  startTestServer({ environment: { SEALING_KEY: "a-key-that-only-this-test-seals-with" } }),
);

const program = `
import json, sys
import jwt

given = json.load(sys.stdin)
keys = jwt.PyJWKSet.from_dict(given["keys"])
kid = jwt.get_unverified_header(given["receipt"])["kid"]
claims = jwt.decode(given["receipt"], keys[kid].key, algorithms=["EdDSA"], issuer=given["issuer"])
print(claims["jti"], claims["cost_usd"])
`;

async function readReceipt() {
  const answer = await postChat(server, account.key, chatBody({ deltas: 5 }));
  await answer.text();
  const id = answer.headers.get("x-generation-id") ?? "";
  const receipt = await getPath(server, account.key, `/generation/${id}/receipt`);
  return { id, receipt: await receipt.text() };
}

test("Python verifies a receipt of a replaced key, and refuses a changed one", async () => {
  const python = await preparePackages("pyjwt-2.10.1", ["PyJWT[crypto]==2.10.1"]);
  if (python.kind === "absent") {
    return console.warn(`SKIPPED: PyJWT cannot be installed: ${python.reason}`);
  }
  const { id, receipt } = await readReceipt();
  const { sealer, database } = server.services;
  if (sealer === undefined) throw new Error("SEALING_KEY was not read");
  await rotateSigningKey(database.db, sealer);
  let keys: unknown[] = [];
  // The instance remembers the published keys for a second.
  while (keys.length < 2) {
    const published = await fetch(`${server.url}/.well-known/jwks.json`);
    ({ keys } = (await published.json()) as { keys: unknown[] });
  }
  const issuer = server.services.config.PUBLIC_URL;
  const verify = async (text: string) => {
    const child = Bun.spawn([python.path, "-c", program], {
      stdin: Buffer.from(JSON.stringify({ receipt: text, keys: { keys }, issuer })),
      stdout: "pipe",
      stderr: "pipe",
    });
    const out = await new Response(child.stdout).text();
    return {
      code: await child.exited,
      out: out.trim(),
      err: await new Response(child.stderr).text(),
    };
  };
  const verified = await verify(receipt);
  expect(verified).toMatchObject({ code: 0, err: "" });
  expect(verified.out).toMatch(new RegExp(`^${id} 0\\.\\d+$`));
  const [head = "", payload = "", signature = ""] = receipt.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const forged = Buffer.from(JSON.stringify({ ...claims, cost_usd: "0" })).toString("base64url");
  expect((await verify(`${head}.${forged}.${signature}`)).err).toContain("InvalidSignatureError");
}, 300_000);
