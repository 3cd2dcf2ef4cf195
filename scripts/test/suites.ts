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
 * Separate runs: Solid needs other resolve conditions, the browser tests one environment for many files. `shards`: as
 * many processes share all files of the place. Without `all`, a place runs only files that are named.
 */
export const places = [
  {
    name: "server",
    folder: "",
    options: [`--parallel=${workers}`, testTimeout, `--path-ignore-patterns=${clientMatrix}/**`],
    all: ["packages", "apps/server", "scripts"],
    shards: 1,
  },
  {
    name: "clients",
    folder: clientMatrix,
    options: [`--parallel=${workers}`, testTimeout],
    all: undefined,
    shards: 1,
  },
  {
    name: "console",
    folder: "apps/console",
    options: ["--conditions=browser", testTimeout],
    all: ["./src", "./test"],
    shards: 1,
  },
  { name: "browser", folder: "apps/console/e2e", options: [testTimeout], all: [], shards: 2 },
] as const;

export type Place = (typeof places)[number];

/** A file belongs to the place of the deepest folder that contains it. */
export function placeOf(file: string): Place {
  const path = relative(root, resolve(root, file));
  return places.findLast(({ folder }) => `${path}/`.startsWith(`${folder}/`)) ?? places[0];
}

/** `files` are patterns as `bun test` takes them; none means everything. */
export function chooseSuites(
  place: Place,
  files: readonly string[],
  extra: readonly string[] = [],
): readonly Suite[] {
  const own = files.filter((file) => placeOf(file) === place);
  if (own.length === 0 && (files.length > 0 || place.all === undefined)) return [];
  const patterns = own.map((file) => relative(place.folder, file)).filter(Boolean);
  const base = [process.execPath, "test", ...place.options, ...extra];
  const cwd = join(root, place.folder);
  if (patterns.length > 0) return [{ name: place.name, command: [...base, ...patterns], cwd }];
  const all = [...base, ...(place.all ?? [])];
  if (place.shards === 1) return [{ name: place.name, command: all, cwd }];
  return Array.from({ length: place.shards }, (_, at) => {
    const shard = `${at + 1}/${place.shards}`;
    const command = [...all, `--shard=${shard}`];
    return { name: `${place.name} ${shard}`, command, cwd };
  });
}
