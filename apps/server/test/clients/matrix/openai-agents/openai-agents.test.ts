// OpenAI's own agents SDK for Python, from its own virtual environment: it keeps its state on the server, in a project that stores by
// default.
import { expect, test } from "bun:test";
import { preparePython } from "@turnpike/testing";
import { expectCleanBooks, startTestServer, useServer } from "../../../harness/index.ts";
import { ask, openManaged } from "../../../management/open-management.fixture.ts";
import { runsEnvironment } from "../../../runs/use-runs.fixture.ts";
import { runPythonCases } from "../../run-python-cases.ts";

const { server } = await useServer(startTestServer({ environment: runsEnvironment }));

const name = "openai-agents-0.22.3";
const python = await preparePython(name);
if (python.kind === "absent") console.log(`skipped: ${name} (${python.reason})`);

test.skipIf(python.kind === "absent")(`every case of ${name} passes`, async () => {
  if (python.kind === "absent") return;
  const { id, key, managementKey } = await openManaged(server);
  const path = `POST /management/projects/${id}/responses`;
  expect((await ask(server, managementKey, path, { hours: 24 })).status).toBe(200);
  const results = await runPythonCases(server, "openai-agents", { path: python.path, key });
  expect(results.filter(({ problem }) => problem !== null)).toEqual([]);
  expect(results).toHaveLength(3);
  await expectCleanBooks(server);
});
