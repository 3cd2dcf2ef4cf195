import { expect, test } from "bun:test";
import { overloaded } from "@turnpike/base";
import { Failures } from "./count-failures.ts";

test("refusals are counted by the bound they name, and whatever differs in each call is one reason", () => {
  const failures = new Failures();
  const refuse = (message: string) =>
    failures.add(new Error(`an answer was HTTP/1.1 503: {"message":"${message}"}`, { cause: 503 }));
  refuse(overloaded("hold").message);
  refuse(overloaded("hold").message);
  refuse(overloaded("memory").message);
  for (const id of ["a", "b", "c"]) failures.add(new Error(`the connection was closed: ${id}`));
  const told = failures.describe(100, "streams");
  expect(told).toStartWith("6 of 100 streams failed: 3 × the connection was closed");
  expect(told).toContain("2 × an answer was HTTP/1.1 503");
  expect(told).toContain("reserving money takes too long");
  expect(told).toContain("its memory is short");
  expect([failures.refused, failures.broken]).toEqual([3, 3]);
});
