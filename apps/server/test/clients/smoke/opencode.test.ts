// opencode, the program, reads and edits a file with tool calls of a scripted model, and pays for its calls.
import { describe, expect, test } from "bun:test";
import { startTestServer, useServer } from "../../harness/index.ts";
import { opencode } from "../agents.ts";
import { prepareProgram } from "../prepare-program.ts";
import { isOpencodeTurn, opencodeEdits, opencodeTexts, runOpencode } from "../run-opencode.ts";
import { expectEdited, expectPaid } from "../run-program.ts";

const program = await prepareProgram(opencode);
if (program.kind === "absent") console.log(`skipped: ${program.reason}`);
const { path } = program;
const { server } = await useServer(startTestServer());

describe.skipIf(program.kind === "absent")("opencode run", () => {
  test("reads and edits a file, prints the answer, and pays once per call", async () => {
    const npm = "@ai-sdk/openai-compatible";
    const result = await runOpencode(server, { path, npm, answers: opencodeEdits });
    expectEdited(result);
    expect(opencodeTexts(result.printed).at(-1)).toBe("The greeting is replaced.");
    expect(result.sent.filter(isOpencodeTurn)).toHaveLength(3);
    await expectPaid(server, result);
  });
});
