// Claude Code, the program, from its command line against the running server: over an upstream of OpenAI's language, and
// when a call is refused.
import { describe, expect, test } from "bun:test";
import { asObject, at, startTestServer, useServer } from "../../../harness/index.ts";
import { claudeCode } from "../../agents.ts";
import { prepareProgram } from "../../prepare-program.ts";
import { claudeCatalog, claudeEdits, claudeModels, runClaude } from "../../run-claude-code.ts";
import { expectEdited, expectPaid } from "../../run-program.ts";
import { testReadmeCommand } from "../../test-readme-command.ts";

const program = await prepareProgram(claudeCode);
if (program.kind === "absent") console.log(`skipped: ${program.reason}`);
const { path } = program;
const { server } = await useServer(startTestServer({ catalog: claudeCatalog }));

describe.skipIf(program.kind === "absent")("claude -p", () => {
  test("reads and edits a file over an upstream of OpenAI's, and pays once per call", async () => {
    const result = await runClaude(server, {
      path,
      model: claudeModels.translated,
      answers: claudeEdits,
    });
    expectEdited(result);
    expect(asObject(JSON.parse(result.printed)).result).toBe("The greeting is replaced.");
    expect(result.sent.map((request) => request.path)).toEqual([
      "/v1/chat/completions",
      "/v1/chat/completions",
      "/v1/chat/completions",
    ]);
    await expectPaid(server, result);
  });

  test("shows why a call was refused", async () => {
    const refusal = { status: 400, error: "The sky is falling." };
    // It retries, e.g. without thinking.
    const answers = () => Array.from({ length: 20 }, () => refusal);
    const { printed } = await runClaude(server, { path, model: claudeModels.lossless, answers });
    expect(asObject(JSON.parse(printed)).is_error).toBe(true);
    expect(printed).toContain("The sky is falling.");
  });

  testReadmeCommand(server, {
    agent: claudeCode,
    path,
    after: "",
    before: "-p Hello --output-format json",
    upstream: { path: "/v1/messages", model: "sandbox-claude" },
    answersIn: (printed) => [at(JSON.parse(printed), "result")],
  });
});
