// The processes that are compared, each alone in its own: the upstream, the bare proxy and Turnpike,
// the last with a catalogue of one model and the accounts that pay.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import type { RunningPostgres } from "../start-postgres.ts";
import { inputNanosPerToken, modelId, outputNanosPerToken } from "./bill.ts";

export type Side = { name: "bare" | "turnpike"; server: SpawnedServer };
/** The bare proxy first. */
export type Sides = readonly [Side, Side];

export type Surroundings = {
  folder: string;
  postgres: RunningPostgres;
  profile: string | undefined;
};

const script = (name: string) => join(import.meta.dirname, name);
const preload = `--preload=${script("collect-on-signal.ts")}`;

export function startUpstream(deltas: number, paceMs: number): Promise<SpawnedServer> {
  return spawnServer(
    { DELTAS: String(deltas), PACE_MS: String(paceMs) },
    { main: script("run-upstream.ts") },
  );
}

/** Starts both sides in front of one upstream, fresh; ends them whatever becomes of `use`. */
export async function withSides<Result>(
  around: Surroundings,
  upstream: SpawnedServer,
  use: (sides: Sides) => Promise<Result>,
): Promise<Result> {
  const bare = await spawnServer(
    { BENCH_UPSTREAM_URL: upstream.baseUrl, BUN_OPTIONS: preload },
    { main: script("run-bare-proxy.ts") },
  );
  try {
    const turnpike = await startTurnpike(around, upstream);
    const sides: Sides = [
      { name: "bare", server: bare },
      { name: "turnpike", server: turnpike },
    ];
    try {
      return await use(sides);
    } catch (error) {
      const words = turnpike.output().trimEnd().split("\n").slice(-5).join("\n");
      throw new Error(`${String(error)}\nTurnpike's last words:\n${words}`);
    } finally {
      // It drains: whatever it still has to settle is durable when it has ended.
      await turnpike.kill("SIGTERM");
    }
  } finally {
    await bare.kill();
  }
}

function startTurnpike(around: Surroundings, upstream: SpawnedServer): Promise<SpawnedServer> {
  const catalog = join(around.folder, "catalog.yaml");
  writeFileSync(catalog, describeCatalog(upstream.baseUrl));
  const profiling =
    around.profile === undefined ? "" : ` --cpu-prof --cpu-prof-dir=${around.profile}`;
  return spawnServer({
    NODE_ENV: "development",
    HOST: "127.0.0.1",
    DATABASE_URL: around.postgres.appUrl,
    DATABASE_MIGRATION_URL: around.postgres.ownerUrl,
    CATALOG_FILE: catalog,
    ALLOW_PRIVATE_UPSTREAMS: "true",
    DRAIN_NOTICE_MS: "0",
    // One row has a single account and key for all its connections.
    CALLS_PER_ACCOUNT_MAX: "2000",
    CALLS_PER_KEY_MAX: "2000",
    // All logins come from one address.
    THROTTLE_SCALE: "1000",
    BUN_OPTIONS: `${preload}${profiling}`,
  });
}

function describeCatalog(baseUrl: string): string {
  const usdPerMillion = (nanosPerToken: bigint) => `"${Number(nanosPerToken) / 1000}"`;
  return `providers:
  - { id: fixed, kind: openai-compatible, baseUrl: "${baseUrl}" }
models:
  - id: ${modelId}
    name: Fixed
    description: Always the same answer.
    created: "2026-01-01"
    contextTokens: 131072
    maxOutputTokens: 16384
    capabilities: []
    routes: [{ provider: fixed, model: fixed }]
    prices:
      input: ${usdPerMillion(inputNanosPerToken)}
      output: ${usdPerMillion(outputNanosPerToken)}
`;
}
