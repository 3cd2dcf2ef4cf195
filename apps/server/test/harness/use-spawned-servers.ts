// For tests of what outlives a process: servers as processes of their own on one site, which every test may kill and start.
import { afterAll, afterEach } from "bun:test";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import { openTestSite, type SiteOptions, type TestSite } from "./start-test-server.ts";

/** Of servers whose death is declared by a test. */
export const patientTimes = {
  heartbeatMs: 200,
  reapEveryMs: 100,
  // A process is considered dead when a test says so, never because the machine is busy.
  heartbeatLapseMs: 120_000,
  silentMs: 150_000,
  // Nor are calls refused because it is.
  holdMs: 60_000,
};

export type SpawnedServers = {
  readonly site: TestSite;
  /** `failpoint` is where it kills itself. It does not outlive its test. */
  readonly start: (failpoint?: string) => Promise<SpawnedServer>;
};

/** For the top of a test file. `times` are added to those of a patient server. */
export async function useSpawnedServers(
  options: SiteOptions,
  times: Readonly<Record<string, number>> = {},
): Promise<SpawnedServers> {
  const site = await openTestSite(options);
  let running: SpawnedServer[] = [];
  afterEach(async () => {
    await Promise.all(running.map((server) => server.kill()));
    running = [];
  });
  afterAll(() => site.close());
  return {
    site,
    async start(failpoint) {
      const server = await spawnServer(site.environment, {
        times: { ...patientTimes, ...times },
        ...(failpoint !== undefined && { failpoint }),
      });
      running.push(server);
      return server;
    },
  };
}
