// Claude Code, the program, reads and edits a file with tool calls of a scripted model, and pays for its calls.
import { describe, expect, test } from "bun:test";
import { asObject, startTestServer, useServer } from "../../harness/index.ts";
import { claudeCode } from "../agents.ts";
import { prepareProgram } from "../prepare-program.ts";
import { claudeCatalog, claudeEdits, claudeModels, runClaude } from "../run-claude-code.ts";
import { expectEdited, expectPaid } from "../run-program.ts";

const program = await prepareProgram(claudeCode);
if (program.kind === "absent") console.log(`skipped: ${program.reason}`);
const { path } = program;
const { server } = await useServer(startTestServer({ catalog: claudeCatalog }));

describe.skipIf(program.kind === "absent")("claude -p", () => {
  test("reads and edits a file, prints the answer, and pays once per call", async () => {
    const result = await runClaude(server, {
      path,
      model: claudeModels.lossless,
      answers: claudeEdits,
    });
    expectEdited(result);
    expect(asObject(JSON.parse(result.printed)).result).toBe("The greeting is replaced.");
    expect(result.sent.map((request) => request.path.replace(/\?.*/, ""))).toEqual([
      "/v1/messages",
      "/v1/messages",
      "/v1/messages",
    ]);
    await expectPaid(server, result);
  });
});
