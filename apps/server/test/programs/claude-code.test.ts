// Claude Code, the program, from its command line against the running server: it reads and edits a file
// with tool calls of a scripted model, over upstreams of either language.
import { describe, expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import { asObject, at, startTestServer, testCatalog, useServer } from "../harness/index.ts";
import { claudeCode } from "./agents.ts";
import { findProgram, type Place, runProgram } from "./run-program.ts";

const program = findProgram(claudeCode);
if (program.kind === "absent") console.log(`skipped: ${program.reason}`);

/** It names models without their vendor. */
const models = { lossless: "claude-sonnet-4-5", translated: "claude-haiku-4-5" };

const { server } = await useServer(
  startTestServer({
    catalog: (baseUrl) =>
      [
        ["anthropic/claude-sonnet-4.5", "claude"],
        ["anthropic/claude-haiku-4.5", "scripted"],
      ].reduce(
        (catalog, [id, provider]) =>
          `${catalog}
  - id: ${id}
    contextTokens: 200000
    maxOutputTokens: 64000
    capabilities: [tools, vision, json_schema, reasoning]
    routes: [{ provider: ${provider}, model: "upstream" }]
    prices: { input: "0.10", cachedInput: "0.025", cacheWrite: "0.125", output: "0.40" }`,
        testCatalog(baseUrl),
      ),
  }),
);

/** Runs `claude -p`; `answers` are the model's, one per call. */
function runClaude(model: string, answers: (place: Place) => readonly Script[]) {
  return runProgram(
    server,
    ({ home }, { key }) => ({
      command: [
        ...[program.path, "-p", "Replace the greeting.", "--output-format", "json"],
        ...["--model", model, "--allowedTools", "Read,Edit", "--permission-mode", "acceptEdits"],
      ],
      environment: {
        ...claudeCode.environment(home),
        ANTHROPIC_BASE_URL: server.url,
        ANTHROPIC_API_KEY: key,
        ANTHROPIC_SMALL_FAST_MODEL: model,
      },
    }),
    { answers },
  );
}

const call = (name: string, input: object): Script => ({
  reasoning: 1,
  signature: "c2lnbmF0dXJl",
  text: "I will.",
  toolCalls: [{ name, arguments: JSON.stringify(input) }],
});
const edits = ({ file }: Place): readonly Script[] => [
  call("Read", { file_path: file }),
  call("Edit", { file_path: file, old_string: "hello", new_string: "good day" }),
  { text: "The greeting is replaced." },
];

describe.skipIf(program.kind === "absent")("claude -p", () => {
  test.each([
    ["an upstream of its own language", models.lossless, "/v1/messages"],
    ["an upstream of OpenAI's", models.translated, "/v1/chat/completions"],
  ])("reads and edits a file over %s, and pays once per call", async (_, model, path) => {
    const { account, code, errors, printed, greeting, sent } = await runClaude(model, edits);
    expect({ code, greeting, errors: code === 0 ? "" : errors }).toEqual({
      code: 0,
      greeting: "good day\n",
      errors: "",
    });
    const result = asObject(JSON.parse(printed));
    expect(at(result, "result")).toBe("The greeting is replaced.");
    expect(sent.map((request) => request.path.replace(/\?.*/, ""))).toEqual([path, path, path]);
    const rows = await server.owner.sql<{ outcome: string; charged: string }[]>`
      select outcome, charged_nanos::text as charged from requests
      where account_id = ${account.id} order by id`;
    expect(rows.map(({ outcome }) => outcome)).toEqual(["completed", "completed", "completed"]);
    for (const { charged } of rows) expect(BigInt(charged)).toBeGreaterThan(0n);
  });

  test("shows why a call was refused", async () => {
    const refusal = { status: 400, error: "The sky is falling." };
    // It retries, e.g. without thinking.
    const { printed } = await runClaude(models.lossless, () =>
      Array.from({ length: 20 }, () => refusal),
    );
    expect(asObject(JSON.parse(printed)).is_error).toBe(true);
    expect(printed).toContain("The sky is falling.");
  });
});
