// The operator's check of the books: what it prints, and how it exits.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { connectDatabase } from "@turnpike/db";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { readAdminConfig } from "../config.ts";
import { runAdmin } from "./run-admin.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const run = (...args: string[]) =>
  runAdmin(["books", "check", ...args], () => readAdminConfig({ DATABASE_URL: database.url }));

test("exits 0 while the books are right, else 1 with a list of what is wrong", async () => {
  const right = { stdout: "The books are right.\n", stderr: "", exitCode: 0 };
  expect(await run()).toEqual(right);
  expect(JSON.parse((await run("--json")).stdout)).toEqual({ right: true, violations: [] });

  const id = crypto.randomUUID();
  const owner = connectDatabase({ url: database.ownerUrl, max: 1 });
  await owner.sql`insert into accounts (id, name, credited_nanos) values (${id}, 'account', 1)`;
  await owner.close();
  const check = "what was put in is not the sum of its entries";
  expect(await run()).toEqual({ stdout: `${check}: ${id}\n`, stderr: "", exitCode: 1 });
  const json = await run("--json");
  expect(json.exitCode).toBe(1);
  expect(JSON.parse(json.stdout)).toEqual({ right: false, violations: [{ check, key: id }] });
});
