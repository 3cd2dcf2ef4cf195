// Finds the programs of peers: those given on the command line, or else installed ones in a cache folder
// outside the repository. A peer whose runtime or package is missing is skipped with the reason; it never
// fails the run.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { BenchOptions } from "./bench-options.ts";
import { messageOf } from "./count-failures.ts";
import { type PeerName, peerVersions } from "./peer-versions.ts";

const { portkey, litellm, gomodel } = peerVersions;

export type InstalledPeer = { name: PeerName; title: string; program: string };
type SkippedPeer = { name: PeerName; title: string; why: string };

type Recipe = {
  product: string;
  version: string;
  suffix?: string;
  /** Folder in the cache; two peers of one package share it. */
  folder: string;
  runtime: string;
  /** The program that starts it, below the folder. */
  program: string;
  /** Run in the folder, one after the other. */
  commands: readonly (readonly string[])[];
};

const portkeyRecipe = {
  version: portkey.version,
  folder: `portkey-${portkey.version}`,
  program: `node_modules/${portkey.package}/build/start-server.js`,
  commands: [
    [
      process.execPath,
      "add",
      "--exact",
      "--ignore-scripts",
      `${portkey.package}@${portkey.version}`,
    ],
  ],
};

const recipes: Readonly<Record<PeerName, Recipe>> = {
  "portkey-node": {
    ...portkeyRecipe,
    product: "Portkey",
    suffix: " on Node",
    runtime: "node",
  },
  "portkey-bun": { ...portkeyRecipe, product: "Portkey", suffix: " on Bun", runtime: "bun" },
  litellm: {
    product: "LiteLLM",
    version: litellm.version,
    folder: `litellm-${litellm.version}`,
    runtime: "python3",
    program: "venv/bin/litellm",
    commands: [
      ["python3", "-m", "venv", "venv"],
      [
        "venv/bin/python",
        "-m",
        "pip",
        "install",
        "-q",
        `${litellm.package}[proxy]==${litellm.version}`,
      ],
    ],
  },
  gomodel: {
    product: "GoModel",
    version: gomodel.version,
    folder: `gomodel-${gomodel.version}`,
    runtime: "go",
    program: "bin/gomodel",
    commands: [["go", "install", `${gomodel.package}@${gomodel.version}`]],
  },
};

const installTimeoutMs = 900_000;

/** Those of `names` without a given program are looked for in the cache; `peers` installs missing ones. */
export async function findPeers(
  names: readonly PeerName[],
  { peers: install, peerPrograms }: Pick<BenchOptions, "peers" | "peerPrograms">,
): Promise<{ found: readonly InstalledPeer[]; skipped: readonly SkippedPeer[] }> {
  const found: InstalledPeer[] = [];
  const skipped: SkippedPeer[] = [];
  for (const name of names) {
    const recipe = recipes[name];
    const given = peerPrograms.get(name);
    if (given !== undefined) {
      // Its version is not known.
      found.push({ name, title: titleOf(recipe, "(given program)"), program: given });
      continue;
    }
    const title = titleOf(recipe, recipe.version);
    const why = await preparePeer(recipe, install).catch(messageOf);
    if (why === undefined) found.push({ name, title, program: programOf(recipe) });
    else skipped.push({ name, title, why });
  }
  return { found, skipped };
}

function titleOf({ product, suffix = "" }: Recipe, version: string): string {
  return `${product} ${version}${suffix}`;
}

/** Undefined if it is ready, else why it is not. */
async function preparePeer(recipe: Recipe, install: boolean): Promise<string | undefined> {
  if (recipe.runtime !== "bun" && Bun.which(recipe.runtime) === null) {
    return `${recipe.runtime} is not installed`;
  }
  if (existsSync(programOf(recipe))) return undefined;
  if (!install) return "not installed; `bun run bench --peers` installs it";
  const folder = folderOf(recipe);
  mkdirSync(folder, { recursive: true });
  // Bun adds a package to the nearest manifest above: it must find this one.
  writeFileSync(join(folder, "package.json"), "{}\n");
  for (const command of recipe.commands) {
    const failure = await run(command, folder);
    if (failure === undefined) continue;
    rmSync(folder, { recursive: true, force: true });
    return `\`${command.join(" ")}\` failed: ${failure}`;
  }
  return existsSync(programOf(recipe)) ? undefined : `there is no ${recipe.program} after install`;
}

async function run(command: readonly string[], cwd: string): Promise<string | undefined> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...process.env, GOBIN: join(cwd, "bin") },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    timeout: installTimeoutMs,
  });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) === 0) return undefined;
  return said.trim().split("\n").at(-1) ?? `exit ${child.exitCode}`;
}

function folderOf({ folder }: Recipe): string {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  return join(cache, "turnpike-bench", folder);
}

function programOf(recipe: Recipe): string {
  return join(folderOf(recipe), recipe.program);
}
