// Gemini CLI, the program, reads and edits a file with calls of a scripted model, and pays for each.
import { expect, test } from "bun:test";
import { startTestServer, useServer } from "../../harness/index.ts";
import { geminiCli } from "../agents.ts";
import { prepareProgram } from "../prepare-program.ts";
import { geminiCliEdits, runGeminiCli } from "../run-gemini-cli.ts";
import { expectEdited, expectPaid } from "../run-program.ts";

const program = await prepareProgram(geminiCli);
if (program.kind === "absent") console.log(`skipped: ${program.reason}`);
const { path } = program;
const { server } = await useServer(startTestServer());

test.skipIf(program.kind === "absent")(
  "it reads and edits a file, prints the answer, and pays once per call",
  async () => {
    const result = await runGeminiCli(server, { path, answers: geminiCliEdits });
    expectEdited(result);
    expect(result.printed).toContain("The greeting is replaced.");
    expect(result.sent).toHaveLength(3);
    await expectPaid(server, result);
  },
);
