import { afterAll, beforeAll, expect, test } from "bun:test";
import { openTestBooks, type TestBooks } from "../open-test-books.fixture.ts";
import { StatementDeadline } from "./bounded-connection.ts";
import { classifyWriteFailure } from "./classify-write-failure.ts";

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());

const withCode = (code: string) => Object.assign(new Error(code), { code });

test.each([
  ["unreachable", "a refused connection", withCode("ECONNREFUSED")],
  ["unreachable", "a lost connection", withCode("CONNECTION_CLOSED")],
  ["unreachable", "a server that starts up", withCode("57P03")],
  ["slow", "no answer in time", new StatementDeadline("no answer within 2000 ms")],
  ["refused", "a missing right", withCode("42501")],
  ["refused", "anything else", new Error("anything else")],
] as const)("%s is reported for %s", (kind, _what, error) => {
  expect(classifyWriteFailure(error).kind).toBe(kind);
});

test("a refusal that is not known names its code, if it has one", () => {
  const reasonOf = (error: unknown) => classifyWriteFailure(error).reason;
  expect(reasonOf(withCode("42501"))).toBe("the database refused a write (42501)");
  expect(reasonOf(new Error("x"))).toBe("the database refused a write (unknown error)");
});

test.each([
  ["read-only", "select 1"],
  ["full", "do $$ begin raise exception using errcode = 'disk_full'; end $$"],
  ["slow", "set local statement_timeout = 10; select pg_sleep(30)"],
] as const)("an error of PostgreSQL is classified as %s", async (kind, statement) => {
  const failing = books.owner.sql.begin(async (sql) => {
    if (kind === "read-only") {
      await sql`set transaction read only`;
      await sql`insert into instances (id) values (gen_random_uuid())`;
    }
    await sql.unsafe(statement);
  });
  const error: unknown = await failing.catch((thrown: unknown) => thrown);
  expect(classifyWriteFailure(error).kind).toBe(kind);
});
