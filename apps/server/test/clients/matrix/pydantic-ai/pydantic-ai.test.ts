// pydantic-ai with its model and provider of OpenRouter, from its own virtual environment against the running server: whole answers,
// streams, tools, the list of models and errors.
import { expect, test } from "bun:test";
import { preparePython } from "@turnpike/testing";
import { expectCleanBooks, startTestServer, useServer } from "../../../harness/index.ts";
import { runPythonCases } from "../../run-python-cases.ts";

const { server, account } = await useServer(startTestServer());

const python = await preparePython("pydantic-ai-slim-2.68.0");
if (python.kind === "absent") console.log(`skipped: pydantic-ai-slim-2.68.0 (${python.reason})`);

test.skipIf(python.kind === "absent")("every case of pydantic-ai-slim-2.68.0 passes", async () => {
  if (python.kind === "absent") return;
  const { path } = python;
  const results = await runPythonCases(server, "pydantic-ai", { path, key: account.key });
  expect(results.filter(({ problem }) => problem !== null)).toEqual([]);
  expect(results).toHaveLength(7);
  await expectCleanBooks(server);
});
