// Settings that no running server shows directly.
import { expect, test } from "bun:test";
import { readConfig } from "./config.ts";

const environment = {
  NODE_ENV: "test",
  DATABASE_URL: "postgres://user:password@127.0.0.1:5432/turnpike",
};

test("a failpoint is read by its name and its number", () => {
  const read = (FAILPOINT: string) => readConfig({ ...environment, FAILPOINT }).failpoint;
  expect(read("hold-sent:1")).toEqual({ name: "hold-sent", nth: 1 });
  expect(read("drain-started:3")).toEqual({ name: "drain-started", nth: 3 });
  expect(() => read("no-such-point:1")).toThrow();
});
