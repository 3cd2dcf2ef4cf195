// Runs a Python script that prints one JSON object per line, in a prepared environment.
import { asObject, type JsonObject } from "../harness/index.ts";

export type PythonScript = {
  /** The interpreter of the environment. */
  readonly path: string;
  readonly script: string;
  readonly words?: readonly string[];
  /** All that it gets of an environment. */
  readonly environment: Readonly<Record<string, string>>;
};

/** Rejects with what it printed to stderr if it fails. */
export async function runPython({
  path,
  script,
  words = [],
  environment,
}: PythonScript): Promise<readonly JsonObject[]> {
  const child = Bun.spawn([path, script, ...words], {
    env: { ...environment, PYTHONDONTWRITEBYTECODE: "1" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [printed, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(errors);
  return printed
    .trim()
    .split("\n")
    .map((line) => asObject(JSON.parse(line)));
}
