// Settings that no running server shows directly.
import { expect, test } from "bun:test";
import { readAdminConfig, readConfig, readEnvironment } from "./config.ts";
import { serverTimes } from "./server-times.ts";

const environment = {
  NODE_ENV: "test",
  DATABASE_URL: "postgres://user:password@127.0.0.1:5432/turnpike",
};

test("a failpoint is read by its name and its number", () => {
  const read = (text: string) => readConfig(environment, [`--failpoint=${text}`]).failpoint;
  expect(read("hold-sent:1")).toEqual({ name: "hold-sent", nth: 1 });
  expect(read("drain-started:3")).toEqual({ name: "drain-started", nth: 3 });
  expect(() => read("no-such-point:1")).toThrow();
});

test("arguments that are unknown, in the wrong order or no numbers are named, and change nothing else", () => {
  const mistakesOf = (...words: string[]) => readEnvironment(environment, words).mistakes;
  const timesOf = (times: object) => readConfig(environment, [`--times=${JSON.stringify(times)}`]);
  expect(timesOf({ reapEveryMs: 5 }).times).toEqual({ ...serverTimes, reapEveryMs: 5 });
  expect(mistakesOf("--time={}")).toEqual([expect.stringContaining("'--time'")]);
  expect(mistakesOf("--times=soon")).toEqual([expect.stringContaining("--times: ")]);
  expect(mistakesOf("--failpoint=hold-sent:0")).toEqual([expect.stringContaining("NAME:NTH")]);
  expect(mistakesOf('--times={"reapMs":5}')).toEqual([expect.stringContaining("reapMs")]);
  expect(mistakesOf('--times={"reapEveryMs":0}')).toEqual([expect.stringContaining("reapEveryMs")]);
  expect(mistakesOf('--times={"heartbeatMs":60000,"heartbeatLapseMs":60000}')).toEqual([
    "--times: heartbeatMs, 60000, must be less than heartbeatLapseMs, 60000.",
    "--times: heartbeatLapseMs, 60000, must be less than silentMs, 60000.",
  ]);
});

test.each([
  ["DATABASE_POOL_KEYS", "many", "must be a number"],
  ["PORT", "30.5", "must be a whole number"],
  ["WORKERS", "0", "must be at least 1"],
  ["THROTTLE_SCALE", "0", "must be more than 0"],
  ["DATABASE_POOL_JOBS", "101", "must be at most 100"],
  ["CHECK_BOOKS_EVERY_MS", "2592000000", "must be at most 2147483647"],
  ["DRAIN_STREAMS_MS", "2592000000", "must be at most 2147483647"],
  ["PRODUCT_NAME", "T".repeat(61), "must have at most 60 characters"],
  [
    "METRICS_TOKEN",
    "short",
    "must be one token of at least 16 characters, or two separated by a comma",
  ],
  [
    "METRICS_TOKEN",
    "long-enough-for-one-token,short",
    "must be one token of at least 16 characters, or two separated by a comma",
  ],
  ["SEALING_KEY", "short", "must have at least 32 characters, and no spaces; commas separate keys"],
  ["KEEP_OUTPUT_ITEMS", "maybe", "must be true or false"],
  ["LOG_LEVEL", "loud", "must be one of trace, debug, info, warn, error, fatal, silent"],
  ["DATABASE_URL", "", "is required but not set"],
])("%s=%s is refused: it %s", (name, value, expectation) => {
  const { mistakes } = readEnvironment({ ...environment, [name]: value });
  expect(mistakes).toEqual([`${name}: ${expectation}.`]);
});

test("operator commands name what is wrong in the same words", () => {
  const { mistakes, PORT } = readAdminConfig({ PORT: "many", DATABASE_PREPARE: "maybe" });
  expect(mistakes).toEqual(["DATABASE_PREPARE: must be true or false.", "PORT: must be a number."]);
  expect(PORT).toBe(3000);
});
