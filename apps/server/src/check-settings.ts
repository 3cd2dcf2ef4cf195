// The checks of a start that need only the environment: what the operating system supports
// and, in production, what must or must not be set.
import { isLoopbackName } from "./http/requests/allowed-hosts.ts";

type ProductionSettings = {
  readonly SANDBOX_UPSTREAM_URL?: string | undefined;
  readonly CONSOLE_DEV_URL?: string | undefined;
  readonly BUN_CONFIG_MAX_HTTP_REQUESTS: number;
  readonly PUBLIC_URL?: string | undefined;
};

/** Only Linux spreads the connections of one port over several processes. */
export function findSystemMistakes(
  { WORKERS }: { readonly WORKERS: number },
  system: NodeJS.Platform = process.platform,
): string[] {
  if (WORKERS === 1 || system === "linux") return [];
  return [`WORKERS: ${WORKERS} processes can share a port on Linux only; unset it.`];
}

const leastHttpRequests = 4_096;

/** The production checks that need only the environment. */
export function findProductionMistakes(config: ProductionSettings): string[] {
  const mistakes: string[] = [];
  if (config.SANDBOX_UPSTREAM_URL !== undefined) {
    mistakes.push("SANDBOX_UPSTREAM_URL: sandbox models cannot be sold; unset it.");
  }
  if (config.CONSOLE_DEV_URL !== undefined) {
    mistakes.push("CONSOLE_DEV_URL: exists for development only; unset it.");
  }
  if (config.BUN_CONFIG_MAX_HTTP_REQUESTS < leastHttpRequests) {
    mistakes.push(
      `BUN_CONFIG_MAX_HTTP_REQUESTS: must be at least ${leastHttpRequests} before the process starts, or streams stall silently. \`bun run start\` sets it.`,
    );
  }
  const { PUBLIC_URL } = config;
  if (PUBLIC_URL === undefined) mistakes.push("PUBLIC_URL: is required in production.");
  else if (!PUBLIC_URL.startsWith("https:") && !isLoopbackName(new URL(PUBLIC_URL).hostname)) {
    mistakes.push("PUBLIC_URL: must be https, except on loopback.");
  }
  return mistakes;
}
