// An earlier Turnpike, measured beside this one: its checkout makes the database and the accounts, by its own code.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { connectDatabase } from "@turnpike/db";
import type { RunningPostgres } from "../postgres/start-postgres.ts";

/** Its program, its database in the cluster of the run, and the keys of its callers. */
export type EarlierTurnpike = {
  readonly main: string;
  readonly ownerUrl: string;
  readonly appUrl: string;
  readonly keys: readonly string[];
};

const database = "turnpike_before";

export async function prepareBefore(
  checkout: string,
  { ownerUrl, appUrl }: RunningPostgres,
  accounts: number,
): Promise<EarlierTurnpike> {
  const owner = connectDatabase({ url: ownerUrl, max: 1, applicationName: "turnpike bench" });
  try {
    await owner.sql.unsafe(`create database ${database}`);
  } finally {
    await owner.close();
  }
  const main = join(checkout, "apps/server/src/main.ts");
  const own = { main, ownerUrl: inDatabase(ownerUrl), appUrl: inDatabase(appUrl) };
  return { ...own, keys: fundThere(checkout, own.ownerUrl, accounts) };
}

function inDatabase(url: string): string {
  const own = new URL(url);
  own.pathname = `/${database}`;
  return own.href;
}

function fundThere(checkout: string, ownerUrl: string, accounts: number): readonly string[] {
  const module = JSON.stringify(join(checkout, "scripts/bench/fund-accounts.ts"));
  const script = `const { fundAccounts } = await import(${module});
    console.log((await fundAccounts(${JSON.stringify(ownerUrl)}, ${accounts})).join(","));`;
  const printed = execFileSync(process.execPath, ["--eval", script], {
    cwd: checkout,
    encoding: "utf8",
  });
  return printed.trim().split("\n").at(-1)?.split(",") ?? [];
}
