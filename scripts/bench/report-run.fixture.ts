// A run that measures one row and then ends as its argument says, as a process of its own.

import { RunRecord } from "./record-run.ts";
import { reportRun } from "./report-run.ts";
import { loadRow, machine } from "./rows.fixture.ts";

const [ending = "", json] = process.argv.slice(2);
const record = new RunRecord({ seconds: 1, accounts: 1 });
record.machine = machine;

async function endLate(): Promise<void> {
  record.add(loadRow("whole-1", 400));
  if (ending === "rejection") void Promise.reject(new Error("a later stage crashed"));
  else if (ending === "SIGINT" || ending === "SIGTERM") process.kill(process.pid, ending);
  await new Promise(() => undefined);
}

const options = { rows: ["whole-1", "whole-16"] as const, json, write: false };
process.exit(await reportRun(options, record, endLate));
