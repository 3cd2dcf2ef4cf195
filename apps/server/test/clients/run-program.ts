// Runs a coding agent from its command line against the server of the test: in a separate home and folder
// with a file to edit, while the upstream gives the model's answers. It contacts only this machine.
import { expect } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Script, UpstreamRequest } from "@turnpike/testing";
import {
  asObject,
  expectCleanBooks,
  openAccount,
  readCharges,
  type TestAccount,
  type TestServer,
} from "../harness/index.ts";
import { offline } from "./offline.ts";

/** The folders of one run. `file` is the greeting to edit, in `work`. */
export type Place = { readonly home: string; readonly work: string; readonly file: string };

export type Run = {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** In addition to PATH and HOME. */
  readonly environment: Readonly<Record<string, string>>;
};

export type RunOptions = {
  /** The model's answers, one call after the other. */
  readonly answers: (place: Place) => readonly Script[];
  /** Selects the calls that `answers` are for; others get the scripted upstream's default. Default: all. */
  readonly isTurn?: (request: Pick<UpstreamRequest, "parsed">) => boolean;
};

export type ProgramResult = {
  readonly account: TestAccount;
  readonly code: number;
  readonly printed: string;
  /** Its stderr, and its stdout if it failed. */
  readonly errors: string;
  /** The file after the run. */
  readonly greeting: string;
  /** The requests that reached the upstream meanwhile. */
  readonly sent: readonly UpstreamRequest[];
};

/** `prepare` writes the program's configuration and returns how to call it. */
export async function runProgram(
  server: TestServer,
  prepare: (place: Place, account: TestAccount) => Run,
  { answers, isTurn = () => true }: RunOptions,
): Promise<ProgramResult> {
  const account = await openAccount(server);
  const folder = mkdtempSync(join(tmpdir(), "turnpike-program-"));
  const place = {
    home: join(folder, "home"),
    work: join(folder, "work"),
    file: join(folder, "work/greeting.txt"),
  };
  mkdirSync(place.home);
  mkdirSync(place.work);
  writeFileSync(place.file, "hello\n");
  const before = server.upstream.requests.length;
  const next = answers(place).values();
  server.upstream.script((request) => (isTurn(request) ? next.next().value : undefined));
  try {
    const { command, environment } = prepare(place, account);
    const child = Bun.spawn([...command], {
      cwd: place.work,
      env: { PATH: Bun.env.PATH ?? "", HOME: place.home, ...offline, ...environment },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [printed, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    const code = await child.exited;
    return {
      account,
      code,
      printed,
      errors: code === 0 ? stderr : `${printed}${stderr}`,
      greeting: readFileSync(place.file, "utf8"),
      sent: server.upstream.requests.slice(before),
    };
  } finally {
    server.upstream.script(undefined);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The events that a program prints, one in a line. */
export function eventsIn(printed: string): Record<string, unknown>[] {
  return printed
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => asObject(JSON.parse(line)));
}

/** It ended well and edited the file; what it printed says why, if not. */
export function expectEdited({ code, errors, greeting }: ProgramResult): void {
  expect({ code, greeting, errors: code === 0 ? "" : errors }).toEqual({
    code: 0,
    greeting: "good day\n",
    errors: "",
  });
}

/** Every call that reached the upstream is paid for, each once. */
export async function expectPaid(
  server: TestServer,
  { account, sent }: Pick<ProgramResult, "account" | "sent">,
): Promise<void> {
  await expectCleanBooks(server);
  expect(await readCharges(server, account)).toHaveLength(sent.length);
}
