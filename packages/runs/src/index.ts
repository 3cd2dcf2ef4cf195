// Runs: answers that outlive their clients, event by event.
export { appendEvents, type NewEvents } from "./append-events.ts";
export { beginRun, type NewRun } from "./begin-run.ts";
export { cancelRun, deleteRun, dropRun } from "./cancel-run.ts";
export { endRun, type RunEnd } from "./end-run.ts";
export { findLostRuns, type LostRun, lostAtOnce } from "./find-lost-runs.ts";
export { purgeRuns } from "./purge-runs.ts";
export { queryRun, queryRunState, type RunEvents, readEvents } from "./query-run.ts";
export { parseRunMessage, type RunMessage, runChannel } from "./run-channel.ts";
export type { RunPlace, StoredRun } from "./stored-run.ts";
