// When a caller is told to come back while no route can take its call.
import { expect, test } from "bun:test";
import { chatModel } from "../chat-model.fixture.ts";
import { attempt, one } from "./attempt-route.fixture.ts";
import { noneWorks } from "./plan-routes.ts";
import { RouteHealthBook } from "./route-health.ts";

const [route] = chatModel.routes;
const [sooner, later] = [
  { ...route, upstreamModel: "a" },
  { ...route, upstreamModel: "b" },
];

test("a caller waits for the first route that is tried again, for a second at least and rounded up", () => {
  const health = new RouteHealthBook();
  const open = (failing: typeof route, fromMs: number) => {
    for (let call = 0; call < 5; call += 1) attempt(health.of(failing), fromMs, "connect");
  };
  open(sooner, 0);
  open(later, 5_000);
  const retryAfterMsAt = (nowMs: number, routes = [sooner, later]) =>
    noneWorks({ health, accountId: one, nowMs }, chatModel, routes).details.retryAfterMs;
  expect(retryAfterMsAt(6_000)).toBe(9_000);
  expect(retryAfterMsAt(6_000, [later])).toBe(14_000);
  expect(retryAfterMsAt(6_000.5)).toBe(9_000);
  expect(retryAfterMsAt(14_500)).toBe(1_000);
  // One at its limit of concurrent calls says nothing about when it will have room.
  expect(retryAfterMsAt(6_000, [{ ...route, upstreamModel: "c" }])).toBe(1_000);
  expect(retryAfterMsAt(6_000, [])).toBe(60_000);
});
