// What a run prints, keeps and exits with, however it ends. The stages are made up: nothing is measured.
import { afterAll, expect, spyOn, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RowName } from "./bench-options.ts";
import { RunRecord } from "./record-run.ts";
import { reportRun } from "./report-run.ts";
import { books, loadRow, machine } from "./rows.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "turnpike-report-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fixture = join(import.meta.dirname, "report-run.fixture.ts");

const rows = ["whole-1", "whole-16", "whole-64"] as const;

/** The exit code, what was printed, and the file. */
async function report(work: (record: RunRecord) => Promise<void>) {
  const json = join(mkdtempSync(join(tmpdir(), "turnpike-report-")), "run.json");
  const record = new RunRecord({ seconds: 1, accounts: 1 });
  record.machine = machine;
  const printed: string[] = [];
  const log = spyOn(console, "log").mockImplementation((text: string) => void printed.push(text));
  try {
    const code = await reportRun({ rows, json, write: false }, record, () => work(record));
    return { code, printed: printed.join("\n"), kept: JSON.parse(readFileSync(json, "utf8")) };
  } finally {
    log.mockRestore();
    rmSync(join(json, ".."), { recursive: true });
  }
}

const measured = (name: (typeof rows)[number]) => loadRow(name, 400);

async function measureAll(record: RunRecord, failing: readonly RowName[] = []): Promise<void> {
  for (const name of rows) {
    await record.attempt([name], async () => {
      if (failing.includes(name)) throw new Error("a stream was refused");
      record.add(measured(name));
    });
  }
  record.books = books;
}

test("a run in which nothing failed exits with 0", async () => {
  const { code, printed, kept } = await report(measureAll);
  expect(code).toBe(0);
  expect(printed).not.toContain("failed");
  expect(kept.rows).toEqual(rows.map(measured));
});

test("a row that fails is reported and kept with its reason, and the others with their figures and aims", async () => {
  const { code, printed, kept } = await report((record) => measureAll(record, ["whole-16"]));
  expect(code).toBe(1);
  expect(kept.rows).toEqual([
    measured("whole-1"),
    { name: "whole-16", failed: "a stream was refused" },
    measured("whole-64"),
  ]);
  expect(printed).toContain("failed: a stream was refused");
  expect(kept.aims.map(({ name }: { name: string }) => name)).toContain(
    "requests/s at 64 connections",
  );
  expect(printed).toContain("requests/s at 64 connections");
});

test("a stage that fails halfway keeps its rows, and gives the reason to those it did not reach", async () => {
  const { kept } = await report(async (record) => {
    await record.attempt(["whole-1", "whole-16"], async () => {
      record.add(measured("whole-1"));
      throw new Error("the upstream ended");
    });
    await record.attempt(["whole-64"], async () => record.add(measured("whole-64")));
  });
  expect(kept.rows).toEqual([
    measured("whole-1"),
    { name: "whole-16", failed: "the upstream ended" },
    measured("whole-64"),
  ]);
});

test("a stage that fails after its last row fails the run, and its rows keep their figures", async () => {
  const { code, printed, kept } = await report(async (record) => {
    await measureAll(record);
    await record.attempt(["whole-64"], () => Promise.reject(new Error("Turnpike does not end")));
  });
  expect(code).toBe(1);
  expect(kept.rows).toEqual(rows.map(measured));
  expect(printed).toContain("- Problem after whole-64: Turnpike does not end");
});

test("few failed calls of Turnpike fail the run, those of a peer do not", async () => {
  const figures = { eventsPerSecond: 1, cpuMicrosecondsPerEvent: 1, bytesPerStream: 1 };
  const failures = "1 of 5000 streams failed: 1 × an answer was 503";
  const measure = (side: "turnpike" | "litellm") =>
    report(async (record) => {
      await measureAll(record);
      record.add({ name: "streams-5000", streams: [{ side, title: side, figures, failures }] });
    });
  expect((await measure("turnpike")).code).toBe(1);
  expect((await measure("litellm")).code).toBe(0);
});

test("a crash after the rows loses none of them, and the books count as not verified", async () => {
  const { code, printed, kept } = await report(async (record) => {
    record.add(measured("whole-1"));
    throw new Error("PostgreSQL ended");
  });
  expect(code).toBe(1);
  expect(kept.rows[0]).toEqual(measured("whole-1"));
  expect(kept.rows.slice(1)).toEqual([
    { name: "whole-16", failed: "PostgreSQL ended" },
    { name: "whole-64", failed: "PostgreSQL ended" },
  ]);
  expect(printed).toContain("Books: NOT VERIFIED");
});

test("a file that cannot be written does not keep the other rows from being measured and printed", async () => {
  const record = new RunRecord({ seconds: 1, accounts: 1 }, () => {
    throw new Error("the disk is full");
  });
  record.machine = machine;
  await measureAll(record);
  expect(record.measured()?.rows).toEqual(rows.map(measured));
  expect(record.measured()?.problems).toEqual(["with the rows so far: the disk is full"]);
});

test.each([
  ["SIGINT", 130, "SIGINT ended the run"],
  ["SIGTERM", 143, "SIGTERM ended the run"],
  ["rejection", 1, "a later stage crashed"],
])("a run ended by %s prints and keeps what it has measured", async (ending, code, reason) => {
  const json = join(folder, `${ending}.json`);
  const child = Bun.spawn([process.execPath, fixture, ending, json], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const printed = await new Response(child.stdout).text();
  expect(await child.exited).toBe(code);
  expect(printed).toMatch(
    /\| whole answers, 1 connection +\| +requests\/s \| +1000 \| +0\.40 × \|/,
  );
  expect(printed).toContain(`- Row whole-16 failed: ${reason}`);
  const kept = JSON.parse(readFileSync(json, "utf8"));
  expect(kept.rows).toEqual([measured("whole-1"), { name: "whole-16", failed: reason }]);
});
