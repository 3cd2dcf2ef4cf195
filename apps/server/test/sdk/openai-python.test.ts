// The official Python package, from a virtual environment of its own, against the running server: the
// same cases as the Node package.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { preparePython } from "@turnpike/testing";
import { asObject, expectCleanBooks, openAccount, startTestServer } from "../harness/index.ts";

// Installing the package takes a while the first time.
setDefaultTimeout(120_000);

const python = await preparePython();
if (python.kind === "absent") console.log(`skipped: the Python SDK (${python.reason})`);
const server = await startTestServer();
afterAll(() => server.close());

async function runCases(path: string): Promise<readonly Record<string, unknown>[]> {
  const account = await openAccount(server);
  const poor = await openAccount(server, { usd: "0" });
  const child = Bun.spawn([path, join(import.meta.dir, "cases.py")], {
    env: {
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: account.key,
      POOR_KEY: poor.key,
      PYTHONDONTWRITEBYTECODE: "1",
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const printed = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  return printed
    .trim()
    .split("\n")
    .map((line) => asObject(JSON.parse(line)));
}

test.skipIf(python.kind === "absent")("every case of the Python SDK passes", async () => {
  const results = python.kind === "ready" ? await runCases(python.path) : [];
  expect(results.filter(({ problem }) => problem !== null)).toEqual([]);
  expect(results).toHaveLength(14);
  const left = await server.upstream.waitFor(({ tag }) => tag === "python abort");
  expect(await left.ended).toBe("gone");
  await expectCleanBooks(server);
});
