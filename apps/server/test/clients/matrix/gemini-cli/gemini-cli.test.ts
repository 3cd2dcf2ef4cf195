// Gemini CLI itself, not interactive: it reads and edits a file by calls of a model that is not Gemini, and pays once for each.
import { expect, test } from "bun:test";
import { at, startTestServer, testModels, useServer } from "../../../harness/index.ts";
import { geminiCli } from "../../agents.ts";
import { prepareProgram } from "../../prepare-program.ts";
import { geminiCliEdits, runGeminiCli } from "../../run-gemini-cli.ts";
import { expectEdited, expectPaid } from "../../run-program.ts";

const { server } = await useServer(startTestServer());

const program = await prepareProgram(geminiCli);
if (program.kind === "absent") console.log(`skipped: ${program.reason}`);

test.skipIf(program.kind === "absent").each([testModels.anthropic, testModels.expensive])(
  "it edits a file over %s",
  async (model) => {
    const run = { path: program.path, model, answers: geminiCliEdits };
    const result = await runGeminiCli(server, run);
    expectEdited(result);
    expect(result.printed).toContain("The greeting is replaced.");
    const last = JSON.stringify(result.sent.at(-1)?.parsed);
    expect(last).toContain("good day");
    expect(at(result.sent[0]?.parsed, "tools")).toBeArray();
    await expectPaid(server, result);
  },
  120_000,
);
