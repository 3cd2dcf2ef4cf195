// The failpoint of a process that is tested by killing it.
import { type Failpoint, noFailpoint } from "@turnpike/base";
import type { Log } from "@turnpike/telemetry";
import type { Config } from "./config.ts";

/**
 * Kills the process, as a power cut would, when the configured failpoint is reached for the nth
 * time.
 */
export function createFailpoint(config: Config, log: Log): Failpoint {
  const { failpoint } = config;
  if (failpoint === undefined) return noFailpoint;
  let passages = 0;
  return (name) => {
    if (name !== failpoint.name) return;
    passages += 1;
    if (passages !== failpoint.nth) return;
    log.warn({ failpoint: name }, "failpoint reached");
    const kill = () => process.kill(process.pid, "SIGKILL");
    // The driver sends what it was given in the next turn of the event loop, not earlier.
    if (name.endsWith("-sent")) setImmediate(kill);
    else kill();
  };
}
