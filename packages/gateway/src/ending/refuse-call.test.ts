// How the end of a call without money is recorded: under the same fault as it is answered.
import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { connectDatabase } from "@turnpike/db";
import { toNanos } from "@turnpike/terms";
import { createCompletion, startOf } from "../completion.fixture.ts";
import { holdFault } from "../money/hold-fault.ts";
import { refuseCall } from "./refuse-call.ts";

test("a call that a database which is away stops is recorded and answered as overloaded", async () => {
  const { gateway, metrics } = createCompletion({
    charge: () => Promise.reject(new Error("nothing is charged here")),
  });
  const away = connectDatabase({ url: "postgres://turnpike@127.0.0.1:1/turnpike" });
  const thrown = await away.sql`select 1`.catch((error: unknown) => error);
  const recorded: unknown[] = [];
  const freeCalls = { record: (refused: unknown) => void recorded.push(refused) };
  const fault = refuseCall({ metrics, freeCalls }, startOf(gateway).call, thrown);
  expect<string>(fault.code).toBe("overloaded");
  expect(fault.details.cause).toBe(thrown);
  expect(recorded).toMatchObject([{ status: 503, errorCode: "overloaded" }]);
  await away.close();
  metrics.close();
});

test("a call that is refused after its admission does not count as running", async () => {
  const { gateway, metrics } = createCompletion({
    charge: () => Promise.reject(new Error("nothing is charged here")),
  });
  const ended: number[] = [];
  const headers = { "x-ratelimit-limit-requests": "5" };
  const admission = { headers, end: (tokens: number) => void ended.push(tokens) };
  const thrown = new Fault("insufficient_quota", "There is no money left.");
  const freeCalls = { record: () => undefined };
  const { call } = startOf(gateway);
  call.record.admission = admission;
  const fault = refuseCall({ metrics, freeCalls }, call, thrown);
  expect(ended).toEqual([0]);
  expect(fault.details.headers).toMatchObject(headers);
  metrics.close();
});

test("a call that a budget refuses is recorded with whose it is and its period", () => {
  const { gateway, metrics } = createCompletion({
    charge: () => Promise.reject(new Error("nothing is charged here")),
  });
  const recorded: unknown[] = [];
  const freeCalls = { record: (refused: unknown) => void recorded.push(refused) };
  const refused = (verdict: "project_month" | "key_month") =>
    holdFault(
      {
        verdict,
        availableNanos: toNanos(0n),
        elsewhereNanos: toNanos(0n),
        resetsAt: new Date("2026-12-01T00:00:00Z"),
      },
      toNanos(1n),
    );
  refuseCall({ metrics, freeCalls }, startOf(gateway).call, refused("project_month"));
  refuseCall({ metrics, freeCalls }, startOf(gateway).call, refused("key_month"));
  expect(recorded).toMatchObject([
    {
      errorCode: "budget_reached",
      usageDetails: { refusal: { budget: { kind: "project", period: "month" } } },
    },
    { errorCode: "key_limit_reached", usageDetails: { refusal: { budget: undefined } } },
  ]);
  metrics.close();
});
