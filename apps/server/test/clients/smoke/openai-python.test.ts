// The official Python package, its newest version and an old one, each from its own virtual environment: a whole answer
// and a stream of each API that it has, each paid once.
import { expect, test } from "bun:test";
import { preparePython } from "@turnpike/testing";
import { batchesEnvironment, batchesTimes } from "../../batches/use-batches.fixture.ts";
import {
  expectCleanBooks,
  openAccount,
  readCharges,
  startTestServer,
  useServer,
} from "../../harness/index.ts";
import { runPythonCases } from "../run-python-cases.ts";

const { server } = await useServer(
  startTestServer({ environment: batchesEnvironment, serverTimes: batchesTimes }),
);

for (const [version, cases, paid] of [
  // The cases `whole` and `images` make two calls, and `audio` three; moderations are free.
  [
    "3.54.0",
    [
      "whole",
      "stream",
      "audio",
      "moderations",
      "operations_async",
      "files",
      "batches",
      "images",
      "response_whole",
      "response_stream",
      "response_memory",
      "conversations",
    ],
    17,
  ],
  ["1.40.0", ["whole", "stream"], 3],
] as const) {
  const python = await preparePython(`openai-${version}`);
  if (python.kind === "absent") console.log(`skipped: openai ${version} (${python.reason})`);

  test.skipIf(python.kind === "absent")(
    `openai ${version} gets whole answers and streams, each paid once`,
    async () => {
      if (python.kind === "absent") return;
      const { id, key } = await openAccount(server);
      const results = await runPythonCases(server, "openai-python", {
        path: python.path,
        key,
        cases,
      });
      expect(results).toEqual(cases.map((name) => ({ name, problem: null })));
      await expectCleanBooks(server);
      expect(await readCharges(server, { id })).toHaveLength(paid);
    },
  );
}
