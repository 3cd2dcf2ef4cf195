// The official Python package, its newest version and an old one, each from its own virtual environment,
// against the running server: the same cases as the Node package.
import { expect, test } from "bun:test";
import { preparePython } from "@turnpike/testing";
import { batchesEnvironment, batchesTimes } from "../../../batches/use-batches.fixture.ts";
import {
  expectCleanBooks,
  openAccount,
  readCharges,
  startTestServer,
  useServer,
} from "../../../harness/index.ts";
import { runPythonCases } from "../../run-python-cases.ts";

const { server, account } = await useServer(
  startTestServer({ environment: batchesEnvironment, serverTimes: batchesTimes }),
);
const triesOf = new Map<string, number>();
// Prompts such as `again 429`: that status twice, then an answer.
server.upstream.script(({ chat: { lastUserText } }) => {
  const status = /^again (\d+)$/.exec(lastUserText)?.[1];
  if (status === undefined) return undefined;
  const tries = (triesOf.get(status) ?? 0) + 1;
  triesOf.set(status, tries);
  return tries < 3 ? { status: Number(status) } : { deltas: 1 };
});

for (const [version, count] of [
  ["3.54.0", 26],
  ["1.40.0", 16],
] as const) {
  const python = await preparePython(`openai-${version}`);
  if (python.kind === "absent") console.log(`skipped: openai ${version} (${python.reason})`);

  test.skipIf(python.kind === "absent")(
    `every case of openai ${version} passes, and what it retries is charged once`,
    async () => {
      if (python.kind === "absent") return;
      const retrying = await openAccount(server);
      const before = server.upstream.requests.length;
      triesOf.clear();
      const { path } = python;
      const { key } = account;
      const results = await runPythonCases(server, "openai-python", {
        path,
        key,
        retryKey: retrying.key,
      });
      expect(results.filter(({ problem }) => problem !== null)).toEqual([]);
      expect(results).toHaveLength(count);
      const left = server.upstream.requests.slice(before).find(({ tag }) => tag === "python abort");
      expect(await left?.ended).toBe("gone");
      await expectCleanBooks(server);
      const tries = { "429": 3, "500": 3, "503": 3 };
      expect(Object.fromEntries(triesOf)).toEqual(tries);
      expect(await readCharges(server, retrying)).toHaveLength(3);
    },
  );
}
