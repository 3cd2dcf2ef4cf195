// Batches: calls that are submitted together, run once each, and answered in files.
export { batchQueue, type ClaimedBatch } from "./batch-queue.ts";
export { beginLine } from "./begin-line.ts";
export { cancelBatch, stopBatch } from "./cancel-batch.ts";
export { createBatch, noInputFile } from "./create-batch.ts";
export { deleteBatch } from "./delete-batch.ts";
export { type ClaimedLine, lineQueue } from "./line-queue.ts";
export { purgeBatches } from "./purge-batches.ts";
export { listBatches, queryBatch } from "./query-batches.ts";
export { queryRunning, type RunningBatch } from "./query-running.ts";
export { type ResultLine, readResults } from "./read-results.ts";
export { openRequest } from "./sealed-lines.ts";
export { type LineEnding, settleLine } from "./settle-line.ts";
export { stepBatch } from "./step-batch.ts";
export {
  type BatchMetadata,
  type BatchScope,
  nameOfBatch,
  type StoredBatch,
} from "./stored-batch.ts";
export { submitBatch } from "./submit-batch.ts";
