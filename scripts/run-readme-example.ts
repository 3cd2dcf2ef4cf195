// Runs the examples of README.md against a running `bun dev`, with its address and key in their place:
// an example that stopped working fails a test.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DevFacts } from "./try-dev.ts";

/** Returns what curl prints. */
export function runCurlExample(folder: string, facts: DevFacts): string {
  return run(folder, ["sh", "-c", readExample(folder, "sh", "curl ", facts)]);
}

/** Returns what the example of the official Node client prints. */
export function runOpenAiExample(folder: string, facts: DevFacts): string {
  // Beside the server's tests, because the client is installed for them.
  const file = join(folder, "apps/server/readme-example.mjs");
  writeFileSync(file, readExample(folder, "js", 'from "openai"', facts));
  const printed = run(folder, [join(folder, "node_modules/bun/bin/bun.exe"), file]);
  rmSync(file);
  return printed;
}

/** The first block of that language that contains `mark`. */
function readExample(folder: string, language: string, mark: string, facts: DevFacts): string {
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm");
  const blocks = [...readme.matchAll(fence)].map(([, code = ""]) => code);
  const example = blocks.find((code) => code.includes(mark)) ?? "";
  return example
    .replaceAll("http://127.0.0.1:3000/v1", facts.baseUrl)
    .replaceAll(/sk-tp-\.\.\.|\$TURNPIKE_API_KEY/g, facts.apiKey);
}

function run(folder: string, [program = "", ...args]: readonly string[]): string {
  const result = spawnSync(program, args, { encoding: "utf8", cwd: folder });
  return result.stdout || result.stderr;
}
