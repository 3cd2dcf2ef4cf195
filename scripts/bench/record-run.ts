// What a run has measured so far, and what of it failed. Nothing is lost when a row fails or the run
// ends early: every requested row is in the results, with its figures or with the reason why it has none.
import type { LoadRowName, RowName, StreamRowName } from "./bench-options.ts";
import { messageOf } from "./count-failures.ts";
import type { Machine } from "./describe-machine.ts";
import type { AcquisitionFigures } from "./measure-acquisitions.ts";
import type { CellFigures } from "./measure-cells.ts";
import type { CitusComparison } from "./measure-citus.ts";
import type { DialectFigures } from "./measure-dialects.ts";
import type { FloodFigures } from "./measure-flood.ts";
import type { Comparison, LoadFigures } from "./measure-load.ts";
import type { LoginComparison } from "./measure-logins.ts";
import type { ReportFigures } from "./measure-reports.ts";
import type { StreamFigures } from "./measure-streams.ts";
import type { WrkFigures } from "./measure-wrk.ts";
import type { Books } from "./verify-ledger.ts";

/** The results of one row. */
export type Row =
  | { name: LoadRowName; load: Comparison<LoadFigures> }
  | { name: "dialects"; dialects: readonly DialectFigures[] }
  | { name: "logins"; logins: LoginComparison }
  | { name: "wrk-64"; wrk: WrkFigures }
  | { name: "flood"; floods: readonly FloodFigures[]; failures: readonly string[] }
  | { name: "cells"; cells: CellFigures }
  | { name: "acquire"; acquisitions: readonly AcquisitionFigures[] }
  | { name: "reports"; reports: ReportFigures }
  | ({ name: "citus" } & CitusComparison)
  | { name: StreamRowName; streams: Comparison<StreamFigures> }
  | { name: RowName; skipped: string }
  | { name: RowName; failed: string };

export type Measured = {
  machine: Machine;
  seconds: number;
  accounts: number;
  rows: readonly Row[];
  /** Sides that did not run. */
  skipped: readonly { title: string; why: string }[];
  /** What went wrong beside the rows. */
  problems: readonly string[];
  books: Books | { unverified: string };
  /** Of everything that ran, the warm-up included. */
  walBytesPerCall: number | undefined;
};

export class RunRecord {
  machine: Machine | undefined;
  books: Measured["books"] = { unverified: "the run ended before that" };
  walBytesPerCall: number | undefined;
  readonly #problems = new Set<string>();
  readonly #rows: Row[] = [];
  readonly #skipped = new Map<string, string>();
  readonly #load: Pick<Measured, "seconds" | "accounts">;
  #hasEnded = false;
  readonly #onRows: (measured: Measured) => void;

  /** `onRows` is called after each row: a process that is killed has not measured for nothing. */
  constructor(
    load: Pick<Measured, "seconds" | "accounts">,
    onRows: (measured: Measured) => void = () => undefined,
  ) {
    this.#load = load;
    this.#onRows = onRows;
  }

  add(row: Row): void {
    if (this.#hasEnded) return;
    this.#rows.push(row);
    if ("failed" in row) console.error(`${row.name} failed: ${row.failed}`);
    const measured = this.measured();
    if (measured === undefined) return;
    try {
      this.#onRows(measured);
    } catch (error) {
      this.#problems.add(`with the rows so far: ${messageOf(error)}`);
    }
  }

  /** Measures `names`; what it throws is the reason of those that it has not added. */
  async attempt(names: readonly RowName[], measure: () => Promise<void>): Promise<void> {
    if (this.#hasEnded || names.length === 0) return;
    try {
      await measure();
    } catch (error) {
      const missing = this.#missing(names);
      this.fail(missing, messageOf(error));
      if (missing.length === 0) this.#problems.add(`after ${names.at(-1)}: ${messageOf(error)}`);
    }
  }

  /** Those of `names` that were not added get the reason. */
  fail(names: readonly RowName[], why: string): void {
    for (const name of this.#missing(names)) this.add({ name, failed: why });
  }

  skip(title: string, why: string): void {
    if (!this.#skipped.has(title)) console.error(`${title} skipped: ${why}`);
    this.#skipped.set(title, why);
  }

  /** True once the run was ended from outside: what fails from then on is a consequence. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  end(why: string): void {
    this.#hasEnded = true;
    this.#problems.add(`in the run: ${why}`);
  }

  /** The row that was added last. */
  last(): Row | undefined {
    return this.#rows.at(-1);
  }

  /** Undefined before the machine is described: nothing is measured before. */
  measured(): Measured | undefined {
    const { machine, books, walBytesPerCall } = this;
    if (machine === undefined) return undefined;
    return {
      machine,
      ...this.#load,
      rows: [...this.#rows],
      skipped: [...this.#skipped].map(([title, why]) => ({ title, why })),
      problems: [...this.#problems],
      books,
      walBytesPerCall,
    };
  }

  #missing(names: readonly RowName[]): readonly RowName[] {
    return names.filter((name) => this.#rows.every((row) => row.name !== name));
  }
}
