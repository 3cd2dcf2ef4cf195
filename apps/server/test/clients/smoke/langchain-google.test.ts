// LangChain's package for Google's models, from its own virtual environment: a whole answer and a stream, each paid once.
import { expect, test } from "bun:test";
import { preparePython } from "@turnpike/testing";
import { countCalls, startTestServer, useServer } from "../../harness/index.ts";
import { runPythonCases } from "../run-python-cases.ts";

const { server, account } = await useServer(startTestServer());

const name = "langchain-google-genai-4.4.3";
const python = await preparePython(name);
if (python.kind === "absent") console.log(`skipped: ${name} (${python.reason})`);

test.skipIf(python.kind === "absent")(
  `${name} gets whole answers and streams, each paid once`,
  async () => {
    if (python.kind === "absent") return;
    const cases = ["whole", "stream"];
    const { calls, charges } = await countCalls(server, account, async () => {
      const run = { path: python.path, key: account.key, cases };
      const results = await runPythonCases(server, "langchain-google", run);
      expect(results).toEqual(cases.map((each) => ({ name: each, problem: null })));
    });
    expect([calls, charges.length]).toEqual([2, 2]);
  },
);
