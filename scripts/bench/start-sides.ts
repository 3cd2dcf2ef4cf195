// The processes that are compared: bare proxy, the least that bills, Turnpike with one and with two
// workers, and the peers that are installed. All use one upstream; Turnpike has a
// catalog of one model.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import type { RunningPostgres } from "../postgres/start-postgres.ts";
import type { SideName } from "./bench-options.ts";
import { dialectModels, inputNanosPerToken, outputNanosPerToken } from "./bill.ts";
import { messageOf } from "./count-failures.ts";
import type { InstalledPeer } from "./install-peers.ts";
import type { EarlierTurnpike } from "./prepare-before.ts";
import { startPeer } from "./start-peer.ts";

export type Side = {
  name: SideName;
  title: string;
  port: number;
  /** Its children are included. */
  pid: number;
  /** Its calls are Turnpike's and must be in the books. */
  bills: boolean;
  /** The keys of its callers, if they are not those of the run. */
  keys?: readonly string[];
  /** SIGUSR2 makes its processes collect garbage. */
  collects: boolean;
  /** Additional headers of every request. */
  headers: readonly string[];
  /** The end of what it printed, of processes of ours. */
  lastOutput?: () => string;
  /** Why it could not be warmed up: it is not measured. */
  failed?: string;
};

export type BenchContext = {
  folder: string;
  postgres: Pick<RunningPostgres, "appUrl" | "ownerUrl">;
  profile: string | undefined;
  sides: readonly SideName[];
  /** The keys of the funded accounts. */
  keys: readonly string[];
  peers: readonly InstalledPeer[];
  before?: EarlierTurnpike | undefined;
  /** Called with the reason when a peer does not start and is skipped. */
  onSkip: (title: string, why: string) => void;
};

const script = (name: string) => join(import.meta.dirname, name);
const preload = (name: string) => `--preload=${script(name)}`;
const collecting = preload("collect-on-signal.ts");

export const ownTitles = {
  bare: "bare proxy",
  floor: "least that bills",
  before: "Turnpike before",
  turnpike: "Turnpike",
  "turnpike-2": "Turnpike, 2 workers",
} as const;

export function startUpstream(deltas: number, paceMs: number): Promise<SpawnedServer> {
  return spawnServer(
    { DELTAS: String(deltas), PACE_MS: String(paceMs) },
    { main: script("run-upstream.ts") },
  );
}

/** Starts all sides in front of one upstream, fresh; always ends them once `use` has ended. */
export async function withSides<Result>(
  context: BenchContext,
  upstream: SpawnedServer,
  use: (sides: readonly Side[]) => Promise<Result>,
): Promise<Result> {
  const sides: Side[] = [];
  const stops: (() => Promise<unknown>)[] = [];
  const lastOutputs: (() => string)[] = [];
  const add = (
    name: keyof typeof ownTitles,
    server: SpawnedServer,
    { bills, ...own }: Pick<Side, "bills" | "keys">,
  ) => {
    const port = Number(new URL(server.url).port);
    const { pid } = server;
    const title = ownTitles[name];
    const lastOutput = () => server.output().trimEnd().slice(-500);
    sides.push({ name, title, port, pid, bills, collects: true, headers: [], lastOutput, ...own });
    // Turnpike drains: everything it still had to settle is durable when it has ended.
    stops.push(() => (bills ? drain(server) : server.kill()));
    if (bills) lastOutputs.push(lastOutput);
  };
  try {
    add("bare", await startBareProxy(upstream), { bills: false });
    if (context.sides.includes("floor")) {
      add("floor", await startFloor(context, upstream), { bills: false });
    }
    const { before } = context;
    if (before !== undefined) {
      const earlier = { ...context, postgres: before };
      const server = await startTurnpike(earlier, upstream, 1, { main: before.main });
      add("before", server, { bills: false, keys: before.keys });
    }
    add("turnpike", await startTurnpike(context, upstream, 1), { bills: true });
    if (context.sides.includes("turnpike-2")) {
      add("turnpike-2", await startTurnpike(context, upstream, 2), { bills: true });
    }
    for (const peer of context.peers) {
      try {
        const running = await startPeer(peer, context.folder, upstream.baseUrl);
        const { pid, port, headers } = running;
        const { name, title } = peer;
        sides.push({ name, title, port, pid, headers, bills: false, collects: false });
        stops.push(running.stop);
      } catch (error) {
        context.onSkip(peer.title, messageOf(error));
      }
    }
    return await use(sides);
  } catch (error) {
    const words = lastOutputs.map((lastOutput) => lastOutput());
    throw new Error(`${messageOf(error)}\nTurnpike's last output:\n${words.join("\n")}`);
  } finally {
    await stopAll(stops.toReversed());
  }
}

/** A server that does not drain is killed: it would take its share of the cores from the next rows. */
async function drain(server: SpawnedServer): Promise<void> {
  try {
    await server.kill("SIGTERM");
  } catch (error) {
    await server.kill();
    throw error;
  }
}

/** Rejects once all have ended, if one did not end by itself. */
async function stopAll(stops: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: string[] = [];
  for (const stop of stops) await stop().catch((error) => errors.push(messageOf(error)));
  if (errors.length > 0) throw new Error(errors.join("\n"));
}

export function startRefuser(): Promise<SpawnedServer> {
  return spawnServer({}, { main: script("run-refuser.ts") });
}

function startBareProxy(upstream: SpawnedServer): Promise<SpawnedServer> {
  return spawnServer(
    { BENCH_UPSTREAM_URL: upstream.baseUrl, BUN_OPTIONS: collecting },
    { main: script("run-bare-proxy.ts") },
  );
}

function startFloor(
  { postgres, keys }: BenchContext,
  upstream: SpawnedServer,
): Promise<SpawnedServer> {
  return spawnServer(
    {
      BENCH_UPSTREAM_URL: upstream.baseUrl,
      BENCH_DATABASE_URL: postgres.ownerUrl,
      BENCH_KEYS: keys.join(","),
      BUN_OPTIONS: collecting,
    },
    { main: script("run-floor.ts") },
  );
}

export type TurnpikeOptions = {
  /** Serves the same models with longer streams; their names end with `longSuffix`. */
  longUpstream?: SpawnedServer;
  /** A script of this folder that the process loads first. */
  preloaded?: string;
  /** Of another checkout. */
  main?: string | undefined;
};

export const longSuffix = "-long";

export function startTurnpike(
  context: Pick<BenchContext, "folder" | "postgres" | "profile">,
  upstream: SpawnedServer,
  workers: number,
  { longUpstream, preloaded = "collect-on-signal.ts", main }: TurnpikeOptions = {},
): Promise<SpawnedServer> {
  const catalog = join(context.folder, "catalog.yaml");
  const upstreams = [{ baseUrl: upstream.baseUrl, suffix: "" }];
  if (longUpstream) upstreams.push({ baseUrl: longUpstream.baseUrl, suffix: longSuffix });
  writeFileSync(catalog, describeCatalog(upstreams));
  const profiling =
    context.profile === undefined ? "" : ` --cpu-prof --cpu-prof-dir=${context.profile}`;
  const environment = {
    NODE_ENV: "development",
    HOST: "127.0.0.1",
    WORKERS: String(workers),
    DATABASE_URL: context.postgres.appUrl,
    DATABASE_MIGRATION_URL: context.postgres.ownerUrl,
    CATALOG_FILE: catalog,
    ALLOW_PRIVATE_UPSTREAMS: "true",
    DRAIN_NOTICE_MS: "0",
    // One row has a single account and key for all its connections; limits are shared by instances.
    CALLS_PER_ACCOUNT_MAX: "20000",
    CALLS_PER_KEY_MAX: "20000",
    // All logins come from one address.
    THROTTLE_SCALE: "1000",
    BUN_OPTIONS: `${preload(preloaded)}${profiling}`,
  };
  return spawnServer(environment, main === undefined ? {} : { main });
}

function describeCatalog(
  upstreams: readonly { readonly baseUrl: string; readonly suffix: string }[],
): string {
  const usdPerMillion = (nanosPerToken: bigint) => `"${Number(nanosPerToken) / 1000}"`;
  const describeModel = (id: string, provider: string) => `
  - id: ${id}
    name: Fixed
    description: Always the same answer.
    created: "2026-01-01"
    # Room for the row with a prompt of a megabyte.
    contextTokens: 2000000
    maxOutputTokens: 16384
    capabilities: []
    routes: [{ provider: ${provider}, model: fixed, maxConcurrent: 20000 }]
    prices:
      input: ${usdPerMillion(inputNanosPerToken)}
      output: ${usdPerMillion(outputNanosPerToken)}`;
  const models = upstreams.flatMap(({ suffix }) =>
    Object.entries(dialectModels).map(([name, id]) =>
      describeModel(`${id}${suffix}`, `${name === "openai" ? "fixed" : `fixed-${name}`}${suffix}`),
    ),
  );
  const providers = upstreams.map(
    ({ baseUrl, suffix }) => `
  - { id: fixed${suffix}, kind: openai-compatible, baseUrl: "${baseUrl}" }
  - { id: fixed-anthropic${suffix}, kind: anthropic, baseUrl: "${baseUrl}", apiKey: bench }
  - { id: fixed-gemini${suffix}, kind: google, baseUrl: "${baseUrl}beta", apiKey: bench }
  - { id: fixed-openai-responses${suffix}, baseUrl: "${baseUrl}", quirks: { responses: only } }`,
  );
  return `providers:${providers.join("")}
models:${models.join("")}
`;
}
