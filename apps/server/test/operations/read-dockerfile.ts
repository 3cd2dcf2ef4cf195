// deploy/Dockerfile as data, and a build of it without a container runtime: each stage is a folder, COPY
// copies, RUN runs in a shell. Base images and users are not simulated; `bun` is the one of this run.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

export type Instruction = { readonly name: string; readonly text: string };
export type Stage = {
  readonly image: string;
  readonly name: string;
  readonly instructions: readonly Instruction[];
};

/** The stages in order. Throws for a line that is not an instruction. */
export function parseDockerfile(text: string): readonly Stage[] {
  const stages: { image: string; name: string; instructions: Instruction[] }[] = [];
  const lines = text
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n/g, " ")
    .split("\n");
  for (const line of lines.filter((one) => one.trim() !== "")) {
    const [, name = "", rest = ""] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (name === "") throw new Error(`not an instruction: ${line}`);
    if (name === "FROM") {
      const [image = "", , as = ""] = rest.split(" ");
      stages.push({ image, name: as, instructions: [] });
    } else {
      stages.at(-1)?.instructions.push({ name, text: rest });
    }
  }
  return stages;
}

/** Whether .dockerignore keeps `path` out of the build. The last pattern that matches decides. */
export function isIgnored(path: string, patterns: readonly string[]): boolean {
  const parts = path.split("/");
  const folders = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  return patterns.reduce((ignored, pattern) => {
    const glob = new Bun.Glob(pattern.replace(/^!/, ""));
    if (!folders.some((folder) => glob.match(folder))) return ignored;
    return !pattern.startsWith("!");
  }, false);
}

/** What `shell` would do with a value in exec form, `["bun", "run"]`. Throws for the shell form. */
export function readExecForm(text: string): readonly string[] {
  const words: unknown = JSON.parse(text.slice(text.indexOf("[")));
  if (Array.isArray(words) && words.every((word) => typeof word === "string")) return words;
  throw new Error(`not in exec form: ${text}`);
}

export type BuiltImage = {
  /** Where `/` of the last stage is. */
  readonly folder: string;
  /** `WORKDIR`, in that folder. */
  readonly workdir: string;
  readonly environment: Readonly<Record<string, string>>;
};

/** Builds every stage below `place` from the folder `context`; `path` finds `bun`. */
export async function buildImage(
  stages: readonly Stage[],
  options: { readonly context: string; readonly place: string; readonly path: string },
): Promise<BuiltImage> {
  const built = new Map<string, BuiltImage>();
  let image: BuiltImage | undefined;
  for (const stage of stages) {
    image = await buildStage(stage, built, options);
    built.set(stage.name, image);
  }
  if (image === undefined) throw new Error("no stage");
  return image;
}

async function buildStage(
  stage: Stage,
  built: ReadonlyMap<string, BuiltImage>,
  { context, place, path }: { context: string; place: string; path: string },
): Promise<BuiltImage> {
  const folder = mkdtempSync(join(place, "stage-"));
  chmodSync(folder, 0o755);
  let workdir = folder;
  const environment: Record<string, string> = {};
  for (const { name, text } of stage.instructions) {
    if (name === "WORKDIR") {
      workdir = join(folder, text);
      mkdirSync(workdir, { recursive: true });
    } else if (name === "ENV") {
      for (const pair of text.split(" ")) {
        const [key = "", value = ""] = pair.split("=");
        environment[key] = value;
      }
    } else if (name === "COPY") {
      copy(text, { context, workdir, built });
    } else if (name === "RUN") {
      await run(text.replace(/--mount=\S+ /g, ""), workdir, { ...environment, PATH: path });
    }
  }
  return { folder, workdir, environment };
}

function copy(
  text: string,
  place: { context: string; workdir: string; built: ReadonlyMap<string, BuiltImage> },
): void {
  const [, stage, from = "", to = ""] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(text) ?? [];
  const target = join(place.workdir, to);
  mkdirSync(dirname(target), { recursive: true });
  if (stage !== undefined) {
    cpSync(join(place.built.get(stage)?.folder ?? "", from), target, { recursive: true });
    return;
  }
  const ignoreFile = readFileSync(join(place.context, ".dockerignore"), "utf8");
  const patterns = ignoreFile.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const source = join(place.context, from);
  cpSync(source, target, {
    recursive: true,
    filter: (file) => file === source || !isIgnored(file.slice(source.length + 1), patterns),
  });
}

async function run(command: string, cwd: string, env: Record<string, string>): Promise<void> {
  const child = Bun.spawn(["sh", "-c", command], {
    cwd,
    env: { HOME: homedir(), ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const code = await child.exited;
  if (code !== 0) throw new Error(`RUN ${command} ended with ${code}:\n${(await said).join("\n")}`);
}
