// Runs Codex against the server of a test: its models, its configuration, and the tool calls by which a scripted model
// makes it edit the file.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "@turnpike/testing";
import { at, type TestServer, testCatalog } from "../harness/index.ts";
import { codex } from "./agents.ts";
import { eventsIn, type ProgramResult, runProgram } from "./run-program.ts";

/** Codex offers other tools to models that it knows by name. */
export const codexModels = {
  unknown: "test/cheap",
  known: "openai/gpt-5.5",
  coded: "openai/gpt-5.6-sol",
  /** What it asks for if nobody names a model. Relayed, where the others are translated. */
  byDefault: "openai/gpt-6.2-sol",
};

/** Behind providers as strict as hosted ones: what they do not know, they refuse. */
export function codexCatalog(baseUrl: string): string {
  const strict = "unknownFields: refused";
  const hosted = `  - { id: hosted, baseUrl: "${baseUrl}", apiKey: any, ${strict}, quirks: { responses: native } }`;
  const providers = testCatalog(baseUrl)
    .replace("id: scripted,", `id: scripted, ${strict},`)
    .replace("\nmodels:", `\n${hosted}\nmodels:`);
  const model = (id: string, provider: string) => `
  - id: ${id}
    contextTokens: 128000
    maxOutputTokens: 16384
    capabilities: [tools, vision, json_schema, reasoning]
    routes: [{ provider: ${provider}, model: "upstream" }]
    prices: { input: "0.10", output: "0.40" }`;
  return [
    providers,
    model(codexModels.known, "scripted"),
    model(codexModels.coded, "scripted"),
    model(codexModels.byDefault, "hosted"),
  ].join("");
}

const configurations = {
  own: (baseUrl: string) => `model_provider = "turnpike"
[model_providers.turnpike]
name = "Turnpike"
base_url = "${baseUrl}"
env_key = "TURNPIKE_API_KEY"
wire_api = "responses"
`,
  /** Codex's own provider, which opens a WebSocket first. */
  builtIn: (baseUrl: string) => `openai_base_url = "${baseUrl}"\n`,
} as const;

type CodexRun = {
  /** Of Codex. */
  readonly path: string;
  /** Default: its own. */
  readonly model?: string;
  /** The model's, one per call. */
  readonly answers: readonly Script[];
  /** Default: one of its own. */
  readonly provider?: keyof typeof configurations;
  /** Lines of its configuration. */
  readonly settings?: string;
};

export type CodexResult = ProgramResult & {
  readonly events: readonly Record<string, unknown>[];
};

/** Runs `codex exec`. */
export async function runCodex(server: TestServer, run: CodexRun): Promise<CodexResult> {
  const { path, model, answers, provider = "own", settings = "" } = run;
  const result = await runProgram(
    server,
    ({ home }, { key }) => {
      const configured = `${settings}\n${configurations[provider](server.baseUrl)}`;
      writeFileSync(join(home, "config.toml"), configured);
      const named = model === undefined ? [] : ["-m", model];
      return {
        command: [
          path,
          "exec",
          "--skip-git-repo-check",
          "--json",
          "--dangerously-bypass-approvals-and-sandbox",
          ...named,
          "Replace the greeting.",
        ],
        environment: { ...codex.environment(home), TURNPIKE_API_KEY: key, CODEX_API_KEY: key },
      };
    },
    { answers: () => answers },
  );
  return { ...result, events: eventsIn(result.printed) };
}

const patch = `*** Begin Patch
*** Update File: greeting.txt
@@
-hello
+good day
*** End Patch
`;

export const codexCalls = {
  shell: [{ name: "exec_command", arguments: '{"cmd":"echo good day > greeting.txt"}' }],
  patch: [{ name: "apply_patch", arguments: JSON.stringify({ input: patch }) }],
  code: [
    {
      name: "functions__exec",
      arguments: JSON.stringify({
        input: 'await tools.exec_command({ cmd: "echo good day > greeting.txt" });',
      }),
    },
  ],
};

export const codexDone: Script = { text: "The greeting is replaced." };

/** What Codex says the model said. */
export function codexMessages(events: readonly Record<string, unknown>[]): unknown[] {
  return events
    .filter((event) => at(event, "item.type") === "agent_message")
    .map((event) => at(event, "item.text"));
}
