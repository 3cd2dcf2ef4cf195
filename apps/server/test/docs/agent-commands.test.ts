// The commands of README.md and the configurations of docs/clients.md that let agents use the sandbox name models that
// an agent can use. Running them is part of the tests of each agent.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { claudeCode, codex, opencode } from "../clients/agents.ts";
import { readmeCommandOf } from "../clients/test-readme-command.ts";
import { at, getPath, readJson, startTestServer, useServer } from "../harness/index.ts";

const { server, account } = await useServer(startTestServer());

const clientsPage = join(import.meta.dir, "../../../../docs/clients.md");

/** By id, the parameters that each model supports. */
async function readModels(): Promise<ReadonlyMap<unknown, unknown>> {
  const { data } = await readJson(await getPath(server, account.key, "/models"));
  const models = Array.isArray(data) ? data : [];
  return new Map(models.map((model) => [at(model, "id"), at(model, "supported_parameters")]));
}

test("the commands and the configurations of agents name sandbox models that support tools", async () => {
  const clients = readFileSync(clientsPage, "utf8");
  const from = clients.indexOf("## Codex");
  const sections = clients.slice(from, clients.indexOf("\n## Anthropic's SDKs", from));
  const commands = [claudeCode, codex, opencode].map(readmeCommandOf);
  const places = [...commands, ...sections.split("\n## ")];
  expect(places).toHaveLength(7);
  const models = await readModels();
  for (const place of places) {
    const named = new Set([...place.matchAll(/sandbox\/[a-z]+/g)].map(([id]) => id));
    expect(named.size).toBe(1);
    for (const id of named) expect(models.get(id)).toContain("tools");
  }
});
