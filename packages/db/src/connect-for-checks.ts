// One connection for the checks of a start or of an installation, on which nothing waits without a limit: a start that says
// nothing, because its database accepts connections and does not answer, cannot be mended.
import { type Connection, connectDatabase } from "./connect.ts";

const answerTimeoutMs = 10_000;

export function connectForChecks(url: string, applicationName = "turnpike start"): Connection {
  return connectDatabase({ url, max: 1, applicationName, answerTimeoutMs });
}
