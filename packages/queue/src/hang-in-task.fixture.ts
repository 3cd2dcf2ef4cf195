// A process that claims a task of the tests, says so, and never ends it.
import { connectDatabase } from "@turnpike/db";
import { openTaskWorker } from "./open-test-queue.fixture.ts";

const [url = ""] = Bun.argv.slice(2);
const worker = openTaskWorker(connectDatabase({ url }), (task) => {
  process.stdout.write(`runs ${task.id}\n`);
  return new Promise(() => undefined);
});
await worker.work();
setInterval(() => undefined, 60_000);
