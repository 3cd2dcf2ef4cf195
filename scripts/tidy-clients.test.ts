// The table of tested clients in docs/clients.md names the versions that the tests actually run, and where those tests
// are.
import { expect, test } from "bun:test";
import { listClients } from "./test/choose-clients.ts";
import { readSource } from "./tidy/read-sources.ts";

type Row = { readonly client: string; readonly version: string; readonly tests: readonly string[] };

function readTable(): readonly Row[] {
  const rows = readSource("docs/clients.md").text.matchAll(
    /^\| `([^`]+)`([^|]*)\| (\d+\.\d+\.\d+) +\| ([^|]*)\|$/gm,
  );
  return [...rows].map(([, name = "", suffix = "", version = "", tests = ""]) => ({
    client: `${name} ${suffix.trim()}`.trim(),
    version,
    tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path),
  }));
}

/** npm packages by their own name, whatever alias they are installed under. */
function readInstalled(): readonly string[] {
  const { devDependencies } = JSON.parse(readSource("apps/server/package.json").text);
  return Object.entries<string>(devDependencies).map(([name, version]) => {
    const [, real = name, aliased = version] = /^npm:(.+)@([^@]+)$/.exec(version) ?? [];
    return `${real} ${aliased}`;
  });
}

function readPythonVersions(): readonly string[] {
  const { text } = readSource("packages/testing/src/prepare-python.ts");
  return [...text.matchAll(/^ {2}"([a-z-]+)-(\d+\.\d+\.\d+)": \[/gm)].map(
    ([, name, version]) => `${name} for Python ${version}`,
  );
}

function readPrograms(): readonly string[] {
  const { text } = readSource("apps/server/test/clients/agents.ts");
  return [...text.matchAll(/npm: "(.+)",\n {2}version: "(.+)"/g)].map(
    ([, name, version]) => `${name} ${version}`,
  );
}

test("docs/clients.md lists the clients with the versions that are tested", () => {
  const rows = readTable();
  expect(rows.length).toBeGreaterThanOrEqual(15);
  const installed = readInstalled();
  const clients = installed.filter((name) =>
    /^(openai|cohere-ai|ai|@.*(ai-sdk|anthropic|openai|openrouter|genai).*) /.test(name),
  );
  const tested = [...clients, ...readPythonVersions(), ...readPrograms()];
  expect(rows.map(({ client, version }) => `${client} ${version}`).sort()).toEqual(tested.sort());
});

test("the table names the tests of every client, and no others", () => {
  const named = readTable().flatMap(({ tests }) => tests);
  expect(named.toSorted()).toEqual([...listClients()]);
});
