// The durable queue: what is to be done later is claimed, tried again, given up, listed, retried and discarded here, for every
// table that holds such work.
export { discardItem, retryItem } from "./change-item.ts";
export { claimItems, openWorker, type Worker } from "./open-worker.ts";
export { measureQueue, type QueueState, queryQueue } from "./query-queue.ts";
export type { Claimed, Queue } from "./queue.ts";
export { attemptItem, type Ending, failItem, finishItem } from "./settle-item.ts";
