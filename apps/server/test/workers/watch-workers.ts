// Helps tests of several workers find out which processes exist, and which of them answered.
import type { SpawnedServer } from "@turnpike/testing";
import { asObject, type TestSite } from "../harness/index.ts";

export type LogLine = { readonly msg: unknown; readonly worker?: unknown; readonly pid?: unknown };

/** The lines of the log so far. */
export function readLog(server: Pick<SpawnedServer, "output">): readonly LogLine[] {
  return server
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => {
      const { msg, worker, pid } = asObject(JSON.parse(line));
      return { msg, worker, pid };
    });
}

/** Process ids by worker number, as the workers logged when they began to listen; the newest counts. */
export function readWorkerPids(server: Pick<SpawnedServer, "output">): ReadonlyMap<number, number> {
  const lines = readLog(server).filter(({ msg }) => msg === "listening");
  return new Map(lines.map(({ worker, pid }) => [Number(worker), Number(pid)]));
}

/** On a new connection, so that the system chooses a worker. */
export async function readMetrics(server: Pick<SpawnedServer, "url">) {
  const headers = { connection: "close" };
  const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
  return { worker: Number(/\bworker="(\d+)"/.exec(text)?.[1]), text };
}

/** Sends requests until both of two workers have answered; resolves with the answers. */
export async function readMetricsOfBoth(server: Pick<SpawnedServer, "url">) {
  const said = new Map<number, string>();
  while (said.size < 2) {
    const { worker, text } = await readMetrics(server);
    said.set(worker, text);
  }
  return said;
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(20);
}

export async function countInstances(site: TestSite) {
  const [row] = await site.owner.sql<{ live: number; ended: number }[]>`
    select count(*) filter (where ended_at is null)::int as live,
           count(*) filter (where ended_at is not null)::int as ended from instances`;
  return { live: row?.live, ended: row?.ended };
}
