// The processes that are compared, each alone in its own: the upstream, the bare proxy and Turnpike,
// the last with a catalogue of one model and the accounts that pay.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import type { RunningPostgres } from "../start-postgres.ts";
import { inputNanosPerToken, modelId, outputNanosPerToken } from "./bill.ts";

export type Side = { name: "bare" | "turnpike"; server: SpawnedServer };
export type Sides = { bare: Side; turnpike: Side; stop(): Promise<void> };

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

/** Both sides in front of the same upstream, as fresh processes. */
export async function startSides(around: Surroundings, upstream: SpawnedServer): Promise<Sides> {
  const bare = await spawnServer(
    { BENCH_UPSTREAM_URL: upstream.baseUrl, BUN_OPTIONS: preload },
    { main: script("run-bare-proxy.ts") },
  );
  const turnpike = await startTurnpike(around, upstream).catch(async (error: unknown) => {
    await bare.kill();
    throw error;
  });
  return {
    bare: { name: "bare", server: bare },
    turnpike: { name: "turnpike", server: turnpike },
    async stop() {
      await bare.kill();
      const { code } = await turnpike.kill("SIGTERM");
      if (code !== 0) throw new Error(`Turnpike ended badly:\n${turnpike.output()}`);
    },
  };
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
