// opencode, the program, from its command line against the running server: with the other protocols it can be configured
// for, when an upstream is busy, and when a call is refused.
import { describe, expect, test } from "bun:test";
import {
  at,
  expectCleanBooks,
  readCharges,
  startTestServer,
  useServer,
} from "../../../harness/index.ts";
import { opencode } from "../../agents.ts";
import { prepareProgram } from "../../prepare-program.ts";
import { isOpencodeTurn, opencodeEdits, opencodeTexts, runOpencode } from "../../run-opencode.ts";
import { eventsIn, expectEdited, expectPaid } from "../../run-program.ts";
import { testReadmeCommand } from "../../test-readme-command.ts";

const program = await prepareProgram(opencode);
if (program.kind === "absent") console.log(`skipped: ${program.reason}`);
const { path } = program;
const { server } = await useServer(startTestServer());

const compatible = "@ai-sdk/openai-compatible";

describe.skipIf(program.kind === "absent")("opencode run", () => {
  test.each([
    ["@ai-sdk/openai", "responses"],
    ["@ai-sdk/anthropic", "messages"],
  ])("with %s reads and edits a file over %s, and pays once per call", async (npm) => {
    const result = await runOpencode(server, { path, npm, answers: opencodeEdits });
    expectEdited(result);
    expect(opencodeTexts(result.printed).at(-1)).toBe("The greeting is replaced.");
    expect(result.sent.filter(isOpencodeTurn)).toHaveLength(3);
    await expectPaid(server, result);
  });

  test("retries a busy upstream, and pays once per answer", async () => {
    const busy = { status: 429, headers: { "retry-after": "1" } };
    const answers: typeof opencodeEdits = (place) => [busy, ...opencodeEdits(place)];
    const result = await runOpencode(server, { path, npm: compatible, answers });
    expectEdited(result);
    expect(result.sent.filter(isOpencodeTurn)).toHaveLength(4);
    await expectCleanBooks(server);
    expect(await readCharges(server, result.account)).toHaveLength(result.sent.length - 1);
  });

  test("shows why a call was refused", async () => {
    const refusal = { status: 400, error: "The sky is falling." };
    const answers = () => Array.from({ length: 20 }, () => refusal);
    const { printed, errors } = await runOpencode(server, { path, npm: compatible, answers });
    expect(printed + errors).toContain("The sky is falling.");
  });

  testReadmeCommand(server, {
    agent: opencode,
    path,
    after: "Hello",
    before: "run --format json",
    upstream: { path: "/v1/chat/completions", model: "sandbox-echo" },
    answersIn: (printed) => eventsIn(printed).map((event) => at(event, "part.text")),
  });
});
