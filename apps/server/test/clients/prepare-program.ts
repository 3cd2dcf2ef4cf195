// Finds a coding agent of the pinned version, or installs it: its path in a variable comes first, then the PATH, then
// the cache, which is filled from npm without running install scripts. Prints which one is used.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installOnce, runInstaller } from "@turnpike/testing";
import type { Agent } from "./agents.ts";
import { offline } from "./offline.ts";

export type Program =
  | { readonly kind: "ready"; readonly path: string }
  | { readonly kind: "absent"; readonly path: ""; readonly reason: string };

/** As the packages of these programs name it. */
const platform = `${process.platform}-${process.arch}`;

export async function prepareProgram(agent: Agent): Promise<Program> {
  const { name, version, command, variable } = agent;
  const named = Bun.env[variable];
  if (named) return use(agent, named, `from ${variable}`);
  const onPath = Bun.which(command, { PATH: Bun.env.PATH ?? "" });
  if (onPath !== null && (await readVersion(agent, onPath)).includes(version)) {
    return use(agent, onPath, `${version}, from the PATH`);
  }
  const installed = await installOnce(`${command}-${version}`, (draft) => install(agent, draft));
  if (installed.kind === "ready") {
    return use(agent, pathIn(agent, installed.folder), `${version}, installed by the tests`);
  }
  const reason = `${name} ${version} (${installed.reason}; its path may be in ${variable})`;
  return { kind: "absent", path: "", reason };
}

function use({ name }: Agent, path: string, origin: string): Program {
  console.log(`${name}: ${path} (${origin})`);
  return { kind: "ready", path };
}

async function install(agent: Agent, draft: string): Promise<void> {
  const { package: wanted, version } = agent.binary(platform);
  writeFileSync(join(draft, "package.json"), '{ "private": true }\n');
  const add = [process.execPath, "add", "--exact", "--ignore-scripts", "--no-progress"];
  await runInstaller([...add, `${wanted}@${version}`], draft);
  const printed = await readVersion(agent, pathIn(agent, draft));
  if (printed.includes(agent.version)) return;
  throw new Error(`the installed program says it is "${printed.trim().slice(0, 200)}"`);
}

function pathIn({ binary }: Agent, folder: string): string {
  const { package: installed, path } = binary(platform);
  const cwd = join(folder, "node_modules", installed);
  const [found = path] = new Bun.Glob(path).scanSync({ cwd });
  return join(cwd, found);
}

/** What the program prints about itself, in a home of its own; nothing if it does not run. */
async function readVersion(agent: Agent, path: string): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "turnpike-program-"));
  try {
    const child = Bun.spawn([path, "--version"], {
      cwd: home,
      env: { PATH: Bun.env.PATH ?? "", HOME: home, ...offline, ...agent.environment(home) },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      timeout: 60_000,
    });
    return await new Response(child.stdout).text();
  } catch {
    return "";
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
