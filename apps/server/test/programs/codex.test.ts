// Codex, the program, from its command line against the running server: it edits a file with a tool call of
// a scripted model and prints what the model said.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "@turnpike/testing";
import { at, expectCleanBooks, startTestServer, testCatalog, useServer } from "../harness/index.ts";
import { codex } from "./agents.ts";
import { eventsIn, findProgram, runProgram } from "./run-program.ts";

const program = findProgram(codex);
if (program.kind === "absent") console.log(`skipped: ${program.reason}`);

/** Codex offers other tools to models that it knows by name. */
const models = { unknown: "test/cheap", known: "openai/gpt-5.5", coded: "openai/gpt-5.6-sol" };

const { server } = await useServer(
  startTestServer({
    catalog: (baseUrl) =>
      [models.known, models.coded].reduce(
        (catalog, id) =>
          `${catalog}
  - id: ${id}
    contextTokens: 128000
    maxOutputTokens: 16384
    capabilities: [tools, vision, json_schema, reasoning]
    routes: [{ provider: scripted, model: "upstream" }]
    prices: { input: "0.10", output: "0.40" }`,
        testCatalog(baseUrl),
      ),
  }),
);

const ownProvider = () => `model_provider = "turnpike"
[model_providers.turnpike]
name = "Turnpike"
base_url = "${server.baseUrl}"
env_key = "TURNPIKE_API_KEY"
wire_api = "responses"
`;
/** Codex's own provider, which opens a WebSocket first. */
const builtIn = () => `openai_base_url = "${server.baseUrl}"\n`;

/** Runs `codex exec`; `answers` are the model's, one per call. */
async function runCodex(model: string, answers: readonly Script[], config = ownProvider()) {
  const { printed, ...result } = await runProgram(
    server,
    ({ home }, { key }) => {
      writeFileSync(join(home, "config.toml"), config);
      return {
        command: [
          ...[program.path, "exec", "--skip-git-repo-check", "--json"],
          ...["--dangerously-bypass-approvals-and-sandbox", "-m", model, "Replace the greeting."],
        ],
        environment: { ...codex.environment(home), TURNPIKE_API_KEY: key, CODEX_API_KEY: key },
      };
    },
    { answers: () => answers },
  );
  return { ...result, events: eventsIn(printed) };
}

const replaced = "good day\n";
const patch = `*** Begin Patch
*** Update File: greeting.txt
@@
-hello
+good day
*** End Patch
`;

const calls = {
  shell: [{ name: "exec_command", arguments: '{"cmd":"echo good day > greeting.txt"}' }],
  patch: [{ name: "apply_patch", arguments: JSON.stringify({ input: patch }) }],
  code: [
    {
      name: "functions__exec",
      arguments: JSON.stringify({
        input: 'await tools.exec_command({ cmd: "echo good day > greeting.txt" });',
      }),
    },
  ],
};

const done: Script = { text: "The greeting is replaced." };

/** What Codex says the model said. */
function messagesOf(events: readonly Record<string, unknown>[]): unknown[] {
  return events
    .filter((event) => at(event, "item.type") === "agent_message")
    .map((event) => at(event, "item.text"));
}

describe.skipIf(program.kind === "absent")("codex exec", () => {
  test.each([
    ["by a command", models.unknown, calls.shell],
    ["by a patch, its custom tool", models.known, calls.patch],
    ["by code, a custom tool in a namespace", models.coded, calls.code],
  ])("edits a file %s", async (_, model, toolCalls) => {
    const answers = [{ deltas: 0, reasoning: 2, toolCalls }, done];
    const { code, errors, events, greeting, sent } = await runCodex(model, answers);
    expect({ code, greeting, errors: code === 0 ? "" : errors }).toEqual({
      code: 0,
      greeting: replaced,
      errors: "",
    });
    expect(sent).toHaveLength(2);
    expect(messagesOf(events)).toEqual(["The greeting is replaced."]);
    expect(events.at(-1)).toMatchObject({ type: "turn.completed" });
  });

  test("with its built-in provider, which opens a WebSocket first", async () => {
    const answers = [{ deltas: 0, toolCalls: calls.patch }, done];
    const { code, errors, events, greeting, sent } = await runCodex(
      models.known,
      answers,
      builtIn(),
    );
    expect({ code, greeting, errors: code === 0 ? "" : errors }).toEqual({
      code: 0,
      greeting: replaced,
      errors: "",
    });
    expect(sent).toHaveLength(2);
    expect(messagesOf(events)).toEqual(["The greeting is replaced."]);
  });

  test("retries a broken stream, and pays for what each try delivered", async () => {
    const answers = [
      { deltas: 9, paceMs: 20, cutAfterDeltas: 3 },
      { toolCalls: calls.shell },
      done,
    ];
    const { code, account, greeting, sent } = await runCodex(models.unknown, answers);
    expect({ code, greeting }).toEqual({ code: 0, greeting: replaced });
    expect(sent).toHaveLength(3);
    await expectCleanBooks(server);
    const rows = await server.owner.sql<{ outcome: string; cost: string }[]>`
      select outcome, cost_nanos::text as cost from requests
       where account_id = ${account.id} order by id`;
    expect(rows.map(({ outcome }) => outcome)).toEqual([
      "upstream_failed",
      "completed",
      "completed",
    ]);
    expect(rows.every(({ cost }) => BigInt(cost) > 0n)).toBe(true);
  });
});
