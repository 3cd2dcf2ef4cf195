// Runs Claude Code against the server of a test: its models, and the tool calls by which a scripted model makes it edit
// the file.
import type { Script } from "@turnpike/testing";
import { type TestServer, testCatalog } from "../harness/index.ts";
import { claudeCode } from "./agents.ts";
import { type Place, type ProgramResult, runProgram } from "./run-program.ts";

/** It names models without their vendor. */
export const claudeModels = { lossless: "claude-sonnet-4-5", translated: "claude-haiku-4-5" };

export const claudeCatalog = (baseUrl: string) =>
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
  );

type ClaudeRun = {
  /** Of Claude Code. */
  readonly path: string;
  readonly model: string;
  /** The model's, one per call. */
  readonly answers: (place: Place) => readonly Script[];
};

/** Runs `claude -p`. */
export function runClaude(
  server: TestServer,
  { path, model, answers }: ClaudeRun,
): Promise<ProgramResult> {
  return runProgram(
    server,
    ({ home }, { key }) => ({
      command: [
        path,
        "-p",
        "Replace the greeting.",
        "--output-format",
        "json",
        "--model",
        model,
        "--allowedTools",
        "Read,Edit",
        "--permission-mode",
        "acceptEdits",
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

export const claudeEdits = ({ file }: Place): readonly Script[] => [
  call("Read", { file_path: file }),
  call("Edit", { file_path: file, old_string: "hello", new_string: "good day" }),
  { text: "The greeting is replaced." },
];
