// Codex, the program, from its command line against the running server: it edits a file with the tools that it offers
// to models it knows, opens a WebSocket, and repeats what breaks.
import { describe, expect, test } from "bun:test";
import { expectCleanBooks, startTestServer, useServer } from "../../../harness/index.ts";
import { codex } from "../../agents.ts";
import { prepareProgram } from "../../prepare-program.ts";
import {
  codexCalls,
  codexCatalog,
  codexDone,
  codexMessages,
  codexModels,
  runCodex,
} from "../../run-codex.ts";
import { eventsIn, expectEdited, expectPaid } from "../../run-program.ts";
import { testReadmeCommand } from "../../test-readme-command.ts";

const program = await prepareProgram(codex);
if (program.kind === "absent") console.log(`skipped: ${program.reason}`);
const { path } = program;
const { server } = await useServer(startTestServer({ catalog: codexCatalog }));

describe.skipIf(program.kind === "absent")("codex exec", () => {
  test.each([
    ["by a patch, its custom tool", codexModels.known, codexCalls.patch, "own"],
    ["by code, a custom tool in a namespace", codexModels.coded, codexCalls.code, "own"],
    ["with its own provider, by a WebSocket first", codexModels.known, codexCalls.patch, "builtIn"],
  ] as const)("edits a file %s", async (_, model, toolCalls, provider) => {
    const answers = [{ deltas: 0, reasoning: 2, toolCalls }, codexDone];
    const result = await runCodex(server, { path, model, answers, provider });
    expectEdited(result);
    expect(result.sent).toHaveLength(2);
    expect(codexMessages(result.events)).toEqual(["The greeting is replaced."]);
    expect(result.events.at(-1)).toMatchObject({ type: "turn.completed" });
    await expectPaid(server, result);
  });

  test("edits a file with its own provider and the model that it asks for by default", async () => {
    const answers = [{ reasoning: 2, toolCalls: codexCalls.shell }, codexDone];
    const result = await runCodex(server, { path, answers, provider: "builtIn" });
    expectEdited(result);
    expect(result.sent.map((request) => request.path)).toEqual(["/v1/responses", "/v1/responses"]);
    expect(codexMessages(result.events)).toEqual(["The greeting is replaced."]);
    await expectPaid(server, result);
  });

  test.each([codexModels.byDefault, codexModels.known])(
    "compacts a long session and continues it, with %s",
    async (model) => {
      const summary = "The greeting is to be replaced by good day.";
      const answers = [{ toolCalls: codexCalls.shell }, { text: summary }, codexDone];
      const settings = "model_auto_compact_token_limit = 1";
      const run = { path, model, answers, provider: "builtIn", settings } as const;
      const result = await runCodex(server, run);
      expectEdited(result);
      expect(result.sent).toHaveLength(3);
      const [, compacting, continuing] = result.sent.map(({ body }) => body);
      expect(compacting).toContain("replaced by a summary");
      expect(continuing).toContain(summary);
      expect(continuing).not.toContain("exec_command({");
      expect(codexMessages(result.events)).toEqual(["The greeting is replaced."]);
      await expectPaid(server, result);
    },
  );

  test("retries a broken stream, and pays for what each try delivered", async () => {
    const answers = [
      { deltas: 9, paceMs: 20, cutAfterDeltas: 3 },
      { toolCalls: codexCalls.shell },
      codexDone,
    ];
    const result = await runCodex(server, { path, model: codexModels.unknown, answers });
    expectEdited(result);
    expect(result.sent).toHaveLength(3);
    await expectCleanBooks(server);
    const rows = await server.owner.sql<{ outcome: string; cost: string }[]>`
      select outcome, cost_nanos::text as cost from requests
       where account_id = ${result.account.id} order by id`;
    expect(rows.map(({ outcome }) => outcome)).toEqual([
      "upstream_failed",
      "completed",
      "completed",
    ]);
    expect(rows.every(({ cost }) => BigInt(cost) > 0n)).toBe(true);
  });

  testReadmeCommand(server, {
    agent: codex,
    path,
    after: "Hello",
    before: "exec --skip-git-repo-check --json --dangerously-bypass-approvals-and-sandbox",
    upstream: { path: "/v1/responses", model: "sandbox-responses" },
    answersIn: (printed) => codexMessages(eventsIn(printed)),
  });
});
