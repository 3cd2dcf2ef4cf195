// Codex, the program, edits a file with a tool call of a scripted model, and pays for its calls.
import { describe, expect, test } from "bun:test";
import { startTestServer, useServer } from "../../harness/index.ts";
import { codex } from "../agents.ts";
import { prepareProgram } from "../prepare-program.ts";
import {
  codexCalls,
  codexCatalog,
  codexDone,
  codexMessages,
  codexModels,
  runCodex,
} from "../run-codex.ts";
import { expectEdited, expectPaid } from "../run-program.ts";

const program = await prepareProgram(codex);
if (program.kind === "absent") console.log(`skipped: ${program.reason}`);
const { server } = await useServer(startTestServer({ catalog: codexCatalog }));

describe.skipIf(program.kind === "absent")("codex exec", () => {
  test("edits a file by a command, prints the answer, and pays once per call", async () => {
    const result = await runCodex(server, {
      path: program.path,
      model: codexModels.unknown,
      answers: [{ deltas: 0, reasoning: 2, toolCalls: codexCalls.shell }, codexDone],
    });
    expectEdited(result);
    expect(result.sent).toHaveLength(2);
    expect(codexMessages(result.events)).toEqual(["The greeting is replaced."]);
    expect(result.events.at(-1)).toMatchObject({ type: "turn.completed" });
    await expectPaid(server, result);
  });
});
