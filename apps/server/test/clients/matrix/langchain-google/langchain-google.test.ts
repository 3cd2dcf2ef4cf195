// LangChain's package for Google's models, from its own virtual environment against the running server.
import { expect, test } from "bun:test";
import { preparePython } from "@turnpike/testing";
import { expectCleanBooks, startTestServer, useServer } from "../../../harness/index.ts";
import { runPythonCases } from "../../run-python-cases.ts";

const { server, account } = await useServer(startTestServer());

const name = "langchain-google-genai-4.4.3";
const python = await preparePython(name);
if (python.kind === "absent") console.log(`skipped: ${name} (${python.reason})`);

test.skipIf(python.kind === "absent")(`every case of ${name} passes`, async () => {
  if (python.kind === "absent") return;
  const run = { path: python.path, key: account.key };
  const results = await runPythonCases(server, "langchain-google", run);
  expect(results.filter(({ problem }) => problem !== null)).toEqual([]);
  expect(results).toHaveLength(7);
  await expectCleanBooks(server);
});
