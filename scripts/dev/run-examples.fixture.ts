// Runs the examples of README.md and docs/clients.md against a running `bun dev`, with its address and
// key filled in: an example that stops working fails a test, and one that is added is run too.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DevFacts } from "./try-dev.fixture.ts";

export type Example = { readonly language: string; readonly code: string };

/** The calls among the blocks of code, in order, ready to run. */
export function readExamples(folder: string, facts: DevFacts): readonly Example[] {
  const pages = ["README.md", "docs/clients.md"].map((path) =>
    readFileSync(join(folder, path), "utf8"),
  );
  return [...pages.join("\n").matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)]
    .map(([, language = "", code = ""]) => ({ language, code }))
    .filter(({ language, code }) => language !== "sh" || code.startsWith("curl "))
    .map(({ language, code }) => ({
      language,
      code: code
        .replaceAll("http://127.0.0.1:3000", facts.baseUrl.replace(/\/v1$/, ""))
        .replaceAll(/sk-tp-\.\.\.|\$TURNPIKE_API_KEY/g, facts.apiKey),
    }));
}

/** Returns what the example prints; throws with all of it if the example fails. */
export function runExample(folder: string, { language, code }: Example, python: string): string {
  if (language === "sh") return run(folder, ["sh", "-c", code]);
  if (language === "python") return run(folder, [python, "-c", code]);
  if (language !== "js")
    throw new Error(`There is an example in ${language}, but nothing to run it with.`);
  // Each client is installed for the tests of one of the two.
  const app =
    /"(@anthropic-ai\/sdk|@ai-sdk\/openai|@google\/genai|@openrouter\/.*|@langchain\/.*)"/.test(
      code,
    )
      ? "server"
      : "console";
  const file = join(folder, `apps/${app}/readme-example.mjs`);
  writeFileSync(file, code);
  try {
    return run(folder, [Bun.which("node") ?? process.execPath, file]);
  } finally {
    rmSync(file);
  }
}

function run(folder: string, [program = "", ...args]: readonly string[]): string {
  const result = spawnSync(program, args, { encoding: "utf8", cwd: folder });
  if (result.status === 0) return result.stdout;
  throw new Error(`${program} ended with ${result.status}: ${result.stdout}\n${result.stderr}`);
}
