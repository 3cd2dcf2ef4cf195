// opencode, the program, from its command line against the running server: it reads and edits a file with
// tool calls of a scripted model, with each of the three protocols it can be configured for.
import { describe, expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import {
  at,
  expectCleanBooks,
  readCharges,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";
import { opencode } from "./agents.ts";
import { eventsIn, findProgram, type Place, runProgram } from "./run-program.ts";

const program = findProgram(opencode);
if (program.kind === "absent") console.log(`skipped: ${program.reason}`);

const { server } = await useServer(startTestServer());

/** It also asks the model for a title, without tools. */
const isTurn = ({ parsed }: { parsed: unknown }) => at(parsed, "tools.0") !== undefined;

function runOpencode(npm: string, answers: (place: Place) => readonly Script[]) {
  return runProgram(
    server,
    ({ home }, { key }) => ({
      command: [
        ...[program.path, "run", "--format", "json", "--model", `turnpike/${testModels.cheap}`],
        "Replace the greeting.",
      ],
      environment: {
        ...opencode.environment(home),
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          share: "disabled",
          autoupdate: false,
          permission: { "*": "allow" },
          provider: {
            turnpike: {
              npm,
              options: { baseURL: server.baseUrl, apiKey: key },
              models: { [testModels.cheap]: { tool_call: true } },
            },
          },
        }),
      },
    }),
    { answers, isTurn },
  );
}

const call = (name: string, input: object): Script => ({
  text: "I will.",
  toolCalls: [{ name, arguments: JSON.stringify(input) }],
});
const edits = ({ file }: Place): readonly Script[] => [
  call("read", { filePath: file }),
  call("edit", { filePath: file, oldString: "hello", newString: "good day" }),
  { text: "The greeting is replaced." },
];

/** What opencode says the model said. */
function textsOf(printed: string): unknown[] {
  return eventsIn(printed)
    .filter(({ type }) => type === "text")
    .map((event) => at(event, "part.text"));
}

describe.skipIf(program.kind === "absent")("opencode run", () => {
  test.each([
    ["@ai-sdk/openai-compatible", "chat completions"],
    ["@ai-sdk/openai", "responses"],
    ["@ai-sdk/anthropic", "messages"],
  ])("with %s reads and edits a file over %s, and pays once per call", async (npm) => {
    const { account, code, errors, printed, greeting, sent } = await runOpencode(npm, edits);
    expect({ code, greeting, errors: code === 0 ? "" : errors }).toEqual({
      code: 0,
      greeting: "good day\n",
      errors: "",
    });
    expect(textsOf(printed).at(-1)).toBe("The greeting is replaced.");
    expect(sent.filter(isTurn)).toHaveLength(3);
    await expectCleanBooks(server);
    expect(await readCharges(server, account)).toHaveLength(sent.length);
  });

  test("retries a busy upstream, and pays once per answer", async () => {
    const busy = { status: 429, headers: { "retry-after": "1" } };
    const { account, code, greeting, sent } = await runOpencode(
      "@ai-sdk/openai-compatible",
      (place) => [busy, ...edits(place)],
    );
    expect({ code, greeting }).toEqual({ code: 0, greeting: "good day\n" });
    expect(sent.filter(isTurn)).toHaveLength(4);
    await expectCleanBooks(server);
    expect(await readCharges(server, account)).toHaveLength(sent.length - 1);
  });

  test("shows why a call was refused", async () => {
    const refusal = { status: 400, error: "The sky is falling." };
    const { printed, errors } = await runOpencode("@ai-sdk/openai-compatible", () =>
      Array.from({ length: 20 }, () => refusal),
    );
    expect(printed + errors).toContain("The sky is falling.");
  });
});
