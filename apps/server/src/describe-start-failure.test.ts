// What a failed start prints: a sentence if the operator can do something, else all that is known.
import { expect, test } from "bun:test";
import { describeStartFailure } from "./describe-start-failure.ts";

const withCode = (code: string, fields: object = {}) =>
  Object.assign(new Error("the system's message"), { code, ...fields });

test.each([
  ["a port in use", withCode("EADDRINUSE"), /^another process listens on this port/],
  ["a database that refuses", withCode("ECONNREFUSED"), /^the database does not answer/],
  ["a wrong password", withCode("28P01"), /^the system's message\. Check DATABASE_URL/],
  ["a port below 1024", withCode("EACCES"), /^this port needs special rights/],
  [
    "an unreadable file",
    withCode("EACCES", { path: "catalog.yaml" }),
    /^the system's message\. Check CATALOG_FILE/,
  ],
])("%s is a sentence that says what to do", (_, error, sentence) => {
  expect(describeStartFailure(error)).toMatch(sentence);
});

test("any other error keeps its stack, and a value that is not an error is printed unchanged", () => {
  const bug = new Error("a bug");
  expect(describeStartFailure(bug)).toBe(String(bug.stack));
  expect(describeStartFailure("only words")).toBe("only words");
  expect(describeStartFailure(undefined)).toBe("undefined");
});
