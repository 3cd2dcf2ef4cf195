// Whether the process may open as many files and connections as its configuration allows: at the limit every
// new connection fails, those of callers, of providers and of PostgreSQL alike.
import { readFileSync } from "node:fs";
import type { Config } from "./config.ts";
import { countConnections } from "./open-pools.ts";

/** Listeners, files, the console, health checks and connections that are kept open without a call. */
const othersMax = 256;

type Limited = Parameters<typeof countConnections>[0] &
  Pick<Config, "BUN_CONFIG_MAX_HTTP_REQUESTS">;

/** A call has two connections: one of its caller and one to its provider. */
export function countDescriptors(config: Limited): number {
  return 2 * config.BUN_CONFIG_MAX_HTTP_REQUESTS + countConnections(config) + othersMax;
}

/** What is wrong with the limit of this process, and how to raise it. Only Linux tells it. */
export function findDescriptorMistakes(
  config: Limited,
  limit: number | undefined = readDescriptorLimit("/proc/self/limits"),
): string[] {
  const needed = countDescriptors(config);
  if (limit === undefined || limit >= needed) return [];
  return [
    `ulimit -n: the process may open ${limit} files and needs ${needed}, two for each of BUN_CONFIG_MAX_HTTP_REQUESTS; set LimitNOFILE=65536 (systemd) or ulimits.nofile (compose).`,
  ];
}

/** The soft limit, which is the one in force; undefined where the system has no such file. */
export function readDescriptorLimit(file: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  const soft = /^Max open files +(\d+|unlimited) /m.exec(text)?.[1];
  if (soft === undefined) return undefined;
  return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
}
