// What `bun run start` gives its server besides the operator's environment: kept apart from the script, so that an
// installation is examined as it would start.
import type { Environment } from "./describe-setting.ts";

/** Read before the process starts, so it must be in the environment. */
const httpRequests = "8192";

export function startEnvironment(environment: Environment): Environment {
  return { BUN_CONFIG_MAX_HTTP_REQUESTS: httpRequests, ...environment, NODE_ENV: "production" };
}
