// Installs peers into a cache folder outside the repository, and reports for each whether it can
// run here. A peer whose runtime or package is missing is skipped with the reason; it never fails
// the run.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { PeerName } from "./bench-options.ts";
import { peerVersions } from "./peer-versions.ts";

const { portkey, litellm, gomodel } = peerVersions;

export type InstalledPeer = { name: PeerName; title: string; program: string };
type SkippedPeer = { name: PeerName; title: string; why: string };

type Recipe = {
  title: string;
  /** Folder in the cache; two peers of one package share it. */
  folder: string;
  runtime: string;
  /** The program that starts it, below the folder. */
  program: string;
  /** Run in the folder, one after the other. */
  commands: readonly (readonly string[])[];
};

const portkeyRecipe = {
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
    title: `Portkey ${portkey.version} on Node`,
    runtime: "node",
  },
  "portkey-bun": { ...portkeyRecipe, title: `Portkey ${portkey.version} on Bun`, runtime: "bun" },
  litellm: {
    title: `LiteLLM ${litellm.version}`,
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
    title: `GoModel ${gomodel.version}`,
    folder: `gomodel-${gomodel.version}`,
    runtime: "go",
    program: "bin/gomodel",
    commands: [["go", "install", `${gomodel.package}@${gomodel.version}`]],
  },
};

const installTimeoutMs = 900_000;

/** Finds `names` in the cache; `install` fetches missing ones. */
export async function findPeers(
  names: readonly PeerName[],
  install: boolean,
): Promise<{ found: readonly InstalledPeer[]; skipped: readonly SkippedPeer[] }> {
  const found: InstalledPeer[] = [];
  const skipped: SkippedPeer[] = [];
  for (const name of names) {
    const { title } = recipes[name];
    const why = await preparePeer(recipes[name], install);
    if (why === undefined) found.push({ name, title, program: programOf(recipes[name]) });
    else skipped.push({ name, title, why });
  }
  return { found, skipped };
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
