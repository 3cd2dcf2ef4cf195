// OpenRouter's own Python package, from its own virtual environment: a whole answer and a stream, each paid once.
import { expect, test } from "bun:test";
import { preparePython } from "@turnpike/testing";
import { countCalls, startTestServer, useServer } from "../../harness/index.ts";
import { runPythonCases } from "../run-python-cases.ts";

const { server, account } = await useServer(startTestServer());

const python = await preparePython("openrouter-1.3.84");
if (python.kind === "absent") console.log(`skipped: openrouter-1.3.84 (${python.reason})`);

test.skipIf(python.kind === "absent")(
  "openrouter-1.3.84 gets whole answers and streams, each paid once",
  async () => {
    if (python.kind === "absent") return;
    const { path } = python;
    const cases = ["whole", "stream"];
    const { calls, charges } = await countCalls(server, account, async () => {
      const results = await runPythonCases(server, "openrouter-python", {
        path,
        key: account.key,
        cases,
      });
      expect(results).toEqual(cases.map((name) => ({ name, problem: null })));
    });
    expect([calls, charges.length]).toEqual([2, 2]);
  },
);
