// OpenAI's own agents SDK for Python, from its own virtual environment: an agent answers, and remembers with what it asked to be stored.
import { expect, test } from "bun:test";
import { preparePython } from "@turnpike/testing";
import { countCalls, startTestServer, useServer } from "../../harness/index.ts";
import { ask, openManaged } from "../../management/open-management.fixture.ts";
import { runsEnvironment } from "../../runs/use-runs.fixture.ts";
import { runPythonCases } from "../run-python-cases.ts";

const { server } = await useServer(startTestServer({ environment: runsEnvironment }));

const name = "openai-agents-0.22.3";
const python = await preparePython(name);
if (python.kind === "absent") console.log(`skipped: ${name} (${python.reason})`);

test.skipIf(python.kind === "absent")(
  `${name} answers and streams in turns, each paid once`,
  async () => {
    if (python.kind === "absent") return;
    const account = await openManaged(server);
    const path = `POST /management/projects/${account.id}/responses`;
    await ask(server, account.managementKey, path, { hours: 24 });
    const cases = ["turns", "stream"];
    const { calls, charges } = await countCalls(server, account, async () => {
      const run = { path: python.path, key: account.key, cases };
      const results = await runPythonCases(server, "openai-agents", run);
      expect(results).toEqual(cases.map((each) => ({ name: each, problem: null })));
    });
    expect([calls, charges.length]).toEqual([4, 4]);
  },
);
