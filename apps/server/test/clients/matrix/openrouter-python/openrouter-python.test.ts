// OpenRouter's own Python package, from its own virtual environment against the running server: whole answers, streams, tools,
// the list of models, embeddings and errors.
import { expect, test } from "bun:test";
import { preparePython } from "@turnpike/testing";
import { expectCleanBooks, startTestServer, useServer } from "../../../harness/index.ts";
import { runPythonCases } from "../../run-python-cases.ts";

const { server, account } = await useServer(startTestServer());

const python = await preparePython("openrouter-1.3.84");
if (python.kind === "absent") console.log(`skipped: openrouter-1.3.84 (${python.reason})`);

test.skipIf(python.kind === "absent")("every case of openrouter-1.3.84 passes", async () => {
  if (python.kind === "absent") return;
  const { path } = python;
  const results = await runPythonCases(server, "openrouter-python", { path, key: account.key });
  expect(results.filter(({ problem }) => problem !== null)).toEqual([]);
  expect(results).toHaveLength(10);
  await expectCleanBooks(server);
});
