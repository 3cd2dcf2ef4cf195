// Cohere's official Python package, from its own virtual environment against the running server: rankings and errors.
import { expect, test } from "bun:test";
import { preparePython } from "@turnpike/testing";
import { expectCleanBooks, startTestServer, useServer } from "../../../harness/index.ts";
import { runPythonCases } from "../../run-python-cases.ts";

const { server, account } = await useServer(startTestServer());

const python = await preparePython("cohere-7.3.1");
if (python.kind === "absent") console.log(`skipped: cohere-7.3.1 (${python.reason})`);

test.skipIf(python.kind === "absent")("every case of cohere-7.3.1 passes", async () => {
  if (python.kind === "absent") return;
  const { path } = python;
  const results = await runPythonCases(server, "cohere", { path, key: account.key });
  expect(results.filter(({ problem }) => problem !== null)).toEqual([]);
  expect(results).toHaveLength(4);
  await expectCleanBooks(server);
});
