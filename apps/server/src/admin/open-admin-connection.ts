// The database as commands open it: one connection, on which no statement waits without a limit, so that every command ends.
import { type Connection, connectDatabase } from "@turnpike/db";

/** The longest that a statement may set for itself, and some time for its answer to arrive. */
const answerTimeoutMs = 630_000;

/** `statementTimeoutMs` is PostgreSQL's own limit, where a command needs a longer one than all others. */
export function openAdminConnection(url: string, statementTimeoutMs?: number): Connection {
  return connectDatabase({
    url,
    max: 1,
    applicationName: "turnpike admin",
    answerTimeoutMs: Math.max(answerTimeoutMs, (statementTimeoutMs ?? 0) + 30_000),
    ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
  });
}
