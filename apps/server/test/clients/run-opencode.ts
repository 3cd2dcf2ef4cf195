// Runs opencode against the server of a test: its configuration, and the tool calls by which a scripted model makes it
// edit the file.
import type { Script } from "@turnpike/testing";
import { at, type TestServer, testModels } from "../harness/index.ts";
import { opencode } from "./agents.ts";
import { eventsIn, type Place, type ProgramResult, runProgram } from "./run-program.ts";

/** It also asks the model for a title, without tools. */
export const isOpencodeTurn = ({ parsed }: { parsed: unknown }) =>
  at(parsed, "tools.0") !== undefined;

type OpencodeRun = {
  /** Of opencode. */
  readonly path: string;
  /** The package of the AI SDK that opencode uses for the server. */
  readonly npm: string;
  /** The model's, one per call. */
  readonly answers: (place: Place) => readonly Script[];
};

/** Runs `opencode run`. */
export function runOpencode(
  server: TestServer,
  { path, npm, answers }: OpencodeRun,
): Promise<ProgramResult> {
  return runProgram(
    server,
    ({ home }, { key }) => ({
      command: [
        path,
        "run",
        "--format",
        "json",
        "--model",
        `turnpike/${testModels.cheap}`,
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
    { answers, isTurn: isOpencodeTurn },
  );
}

const call = (name: string, input: object): Script => ({
  text: "I will.",
  toolCalls: [{ name, arguments: JSON.stringify(input) }],
});

export const opencodeEdits = ({ file }: Place): readonly Script[] => [
  call("read", { filePath: file }),
  call("edit", { filePath: file, oldString: "hello", newString: "good day" }),
  { text: "The greeting is replaced." },
];

/** What opencode says the model said. */
export function opencodeTexts(printed: string): unknown[] {
  return eventsIn(printed)
    .filter(({ type }) => type === "text")
    .map((event) => at(event, "part.text"));
}
