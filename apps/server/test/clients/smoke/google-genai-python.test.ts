// Google's official Python package, from its own virtual environment: a whole answer and a stream, each paid once.
import { expect, test } from "bun:test";
import { preparePython } from "@turnpike/testing";
import { countCalls, startTestServer, useServer } from "../../harness/index.ts";
import { runPythonCases } from "../run-python-cases.ts";

const { server, account } = await useServer(startTestServer());

const python = await preparePython("google-genai-3.6.1");
if (python.kind === "absent") console.log(`skipped: google-genai-3.6.1 (${python.reason})`);

test.skipIf(python.kind === "absent")(
  "google-genai-3.6.1 gets whole answers and streams, each paid once",
  async () => {
    if (python.kind === "absent") return;
    const { path } = python;
    const cases = ["whole", "stream"];
    const { calls, charges } = await countCalls(server, account, async () => {
      const run = { path, key: account.key, cases };
      for (const api of ["google-genai", "google-genai-interactions"] as const) {
        const results = await runPythonCases(server, api, run);
        expect(results).toEqual(cases.map((name) => ({ name, problem: null })));
      }
    });
    expect([calls, charges.length]).toEqual([4, 4]);
  },
);
