// Runs Gemini CLI against the server of a test: where it asks, and the calls by which a scripted model makes it edit the file.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "@turnpike/testing";
import { type TestServer, testModels } from "../harness/index.ts";
import { geminiCli } from "./agents.ts";
import { type Place, type ProgramResult, runProgram } from "./run-program.ts";

type GeminiCliRun = {
  /** Of Gemini CLI. */
  readonly path: string;
  readonly model?: string;
  /** The model's, one per call. */
  readonly answers: (place: Place) => readonly Script[];
};

/** Runs `gemini --prompt`. */
export function runGeminiCli(
  server: TestServer,
  { path, model = testModels.cheap, answers }: GeminiCliRun,
): Promise<ProgramResult> {
  return runProgram(
    server,
    ({ home }, { key }) => {
      writeSettings(home);
      return {
        command: [path, "--prompt", "Replace the greeting.", "--model", model, "--yolo"],
        environment: {
          ...geminiCli.environment(home),
          GOOGLE_GEMINI_BASE_URL: server.url,
          GEMINI_API_KEY: key,
        },
      };
    },
    { answers },
  );
}

/** Without it, 0.61.0 takes another base URL for a way to sign in that it then refuses. */
function writeSettings(home: string): void {
  const folder = join(home, ".gemini");
  mkdirSync(folder);
  const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
}

const call = (name: string, input: object): Script => ({
  text: "I will.",
  toolCalls: [{ name, arguments: JSON.stringify(input) }],
});

export const geminiCliEdits = ({ file }: Place): readonly Script[] => [
  call("read_file", { file_path: file }),
  call("replace", {
    file_path: file,
    instruction: "Replace the greeting.",
    old_string: "hello",
    new_string: "good day",
  }),
  { text: "The greeting is replaced." },
];
