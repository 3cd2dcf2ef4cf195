// Cohere's official Python package, from its own virtual environment: rankings of both of its clients, each paid once.
import { expect, test } from "bun:test";
import { preparePython } from "@turnpike/testing";
import { countCalls, startTestServer, useServer } from "../../harness/index.ts";
import { runPythonCases } from "../run-python-cases.ts";

const { server, account } = await useServer(startTestServer());

const python = await preparePython("cohere-7.3.1");
if (python.kind === "absent") console.log(`skipped: cohere-7.3.1 (${python.reason})`);

test.skipIf(python.kind === "absent")(
  "cohere-7.3.1 ranks documents with both of its clients, each paid once",
  async () => {
    if (python.kind === "absent") return;
    const { path } = python;
    const cases = ["first_version", "rerank_async"];
    const { calls, charges } = await countCalls(server, account, async () => {
      const run = { path, key: account.key, cases };
      const results = await runPythonCases(server, "cohere", run);
      expect(results).toEqual(cases.map((name) => ({ name, problem: null })));
    });
    expect([calls, charges.length]).toEqual([2, 2]);
  },
);
