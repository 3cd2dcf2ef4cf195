// The suites of `bun run test`: which files each of them runs, with which options, in how many processes.
import { availableParallelism } from "node:os";
import { join, relative, resolve } from "node:path";
import { root } from "../tidy/read-sources.ts";
import type { Command } from "./run-beside-postgres.ts";

export type Suite = Command & { readonly name: string };

/** Ends tests that hang. Generous, because a busy machine is many times slower. */
const testTimeout = "--timeout=180000";

/** Most files wait for servers and databases half of the time. */
const workers = Math.min(8, 2 * availableParallelism());

/** Runs if it is named, as `bun run test:clients` does. */
const clientMatrix = "apps/server/test/clients/matrix";

/**
 * Separate runs: Solid needs other resolve conditions, the browser tests one environment for many files. Without `all`, a
 * place runs only files that are named.
 */
export const places = [
  {
    name: "server",
    folder: "",
    options: [`--parallel=${workers}`, testTimeout, `--path-ignore-patterns=${clientMatrix}/**`],
    all: ["packages", "apps/server", "scripts"],
  },
  {
    name: "clients",
    folder: clientMatrix,
    options: [`--parallel=${workers}`, testTimeout],
    all: undefined,
  },
  {
    name: "console",
    folder: "apps/console",
    options: ["--conditions=browser", testTimeout],
    all: ["./src", "./test"],
  },
  {
    name: "browser",
    folder: "apps/console/e2e",
    // Each worker has one environment for all of its files.
    options: ["--parallel=2", "--no-isolate", testTimeout],
    all: [],
  },
] as const;

export type Place = (typeof places)[number];

/** A file belongs to the place of the deepest folder that contains it. */
export function placeOf(file: string): Place {
  const path = relative(root, resolve(root, file));
  return places.findLast(({ folder }) => `${path}/`.startsWith(`${folder}/`)) ?? places[0];
}

/** `files` are patterns as `bun test` takes them; none means everything. Undefined if nothing is to be run. */
export function chooseSuite(
  place: Place,
  files: readonly string[],
  extra: readonly string[] = [],
): Suite | undefined {
  const own = files.filter((file) => placeOf(file) === place);
  if (own.length === 0 && (files.length > 0 || place.all === undefined)) return undefined;
  const patterns = own.map((file) => relative(place.folder, file)).filter(Boolean);
  const chosen = patterns.length > 0 ? patterns : (place.all ?? []);
  const command = [process.execPath, "test", ...place.options, ...extra, ...chosen];
  return { name: place.name, command, cwd: join(root, place.folder) };
}
