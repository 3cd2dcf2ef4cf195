// What the public pages of models say is what the database counted, and nothing where too little was counted.
import { afterAll, beforeEach, expect, test } from "bun:test";
import { connectDatabase, firstTokenBoundsMs, routeHealth, statusDays } from "@turnpike/db";
import { createTestDatabase } from "@turnpike/testing";
import { sumFigures } from "./model-figures.ts";
import { queryStatus } from "./query-status.ts";

const database = await createTestDatabase();
const { db, close } = connectDatabase({ url: database.ownerUrl, max: 2 });
afterAll(async () => {
  await close();
  await database.drop();
});

beforeEach(async () => {
  await db.delete(statusDays);
  await db.delete(routeHealth);
});

const dayMs = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

/** All streams had their first token within the same bounds. */
const streams = (bucket: number, count: number) =>
  Array.from({ length: firstTokenBoundsMs.length + 1 }, (_, at) => (at === bucket ? count : 0));

type Counts = Partial<typeof statusDays.$inferInsert>;

function addDay(daysAgo: number, provider: string, counts: Counts) {
  const row = { day: dayBefore(daysAgo), model: "acme/large", provider };
  const none = { answered: 0, failed: 0, firstTokens: streams(0, 0) };
  return db.insert(statusDays).values({ ...row, ...none, ...counts });
}

function addRoute(upstreamModel: string, state: Partial<typeof routeHealth.$inferInsert>) {
  const row = { provider: "first", upstreamModel, nextOpenMs: 1_000, credentialsRefused: false };
  return db.insert(routeHealth).values({ ...row, ...state });
}

const routeTo = (id: string, upstreamModel: string) => ({ provider: { id }, upstreamModel });
const first = routeTo("first", "large");
const second = routeTo("second", "large");
const model = { id: "acme/large", routes: [first, second] };

const unknown = {
  recentAvailability: null,
  monthAvailability: null,
  firstTokenMs: null,
  tokensPerSecond: null,
};

const queryFigures = async () => (await queryStatus(db)).figures;

test("without calls nothing is said, and a route counts as working", async () => {
  const figures = await queryFigures();
  expect(figures.ofModel(model)).toEqual(unknown);
  expect(figures.ofRoute(model, first)).toEqual({ ...unknown, works: true });
});

test("availability is that of thirty days, of the model and of each provider", async () => {
  await addDay(0, "", { answered: 18, failed: 2 });
  await addDay(2, "", { answered: 70, failed: 10 });
  await addDay(29, "", { answered: 2, failed: 98 });
  await addDay(30, "", { failed: 1_000 });
  await addDay(0, "first", { answered: 1, failed: 9 });
  const figures = await queryFigures();
  expect(figures.ofModel(model)).toEqual({ ...unknown, monthAvailability: 0.45 });
  expect(figures.ofRoute(model, first).monthAvailability).toBe(0.1);
  expect(figures.ofRoute(model, second)).toEqual({ ...unknown, works: true });
});

test("recent availability is that of this hour and the 23 before it, whatever day they are of", () => {
  const inHour = (hour: number, count: number) =>
    Array.from({ length: 24 }, (_, at) => (at === hour ? count : 0));
  const row = { model: model.id, provider: "", answered: 0, failed: 0, firstTokens: [] };
  const rows = [
    { ...row, day: "2026-11-12", answeredByHour: inHour(14, 8), failedByHour: inHour(14, 2) },
    { ...row, day: "2026-11-11", answeredByHour: inHour(15, 10), failedByHour: inHour(14, 1_000) },
    { ...row, day: "2026-11-12", answeredByHour: inHour(3, 1), failedByHour: inHour(3, 9) },
  ].map((one, at) => (at === 2 ? { ...one, provider: "first" } : one));
  const figures = sumFigures(rows, [], new Date("2026-11-12T14:59:59Z"));
  expect(figures.ofModel(model).recentAvailability).toBe(0.9);
  expect(figures.ofRoute(model, first).recentAvailability).toBe(0.1);
});

test("the first-token time is the median of all streams of thirty days, not of the days' medians", async () => {
  await addDay(0, "first", { answered: 1, firstTokens: streams(8, 1) });
  await addDay(20, "first", { answered: 9, firstTokens: streams(1, 9) });
  await addDay(40, "first", { answered: 900, firstTokens: streams(12, 900) });
  const { firstTokenMs } = (await queryFigures()).ofRoute(model, first);
  expect(firstTokenMs).toBeGreaterThan(100);
  expect(firstTokenMs).toBeLessThanOrEqual(200);
});

test("fewer than five calls or streams say nothing", async () => {
  await addDay(0, "", { answered: 4, firstTokens: streams(1, 4) });
  expect((await queryFigures()).ofModel(model)).toEqual(unknown);
});

test("tokens per second are those of the route, and of the first measured one for its model", async () => {
  await addRoute("large", { provider: "second", tokensPerSecond: 80 });
  expect((await queryFigures()).ofModel(model).tokensPerSecond).toBe(80);
  await addRoute("large", { tokensPerSecond: 50 });
  const figures = await queryFigures();
  expect(figures.ofModel(model).tokensPerSecond).toBe(50);
  expect(figures.ofRoute(model, first).tokensPerSecond).toBe(50);
  expect(figures.ofRoute(model, second).tokensPerSecond).toBe(80);
});

test("tokens per second that were measured more than thirty days ago are not shown", async () => {
  await addRoute("large", { tokensPerSecond: 50, updatedAt: new Date(Date.now() - 31 * dayMs) });
  expect((await queryFigures()).ofModel(model).tokensPerSecond).toBeNull();
});

test("a route that is not called, or whose credentials are refused, does not work", async () => {
  await addRoute("large", { openUntil: new Date(Date.now() + 60_000) });
  await addRoute("small", { credentialsRefused: true });
  await addRoute("tiny", { openUntil: new Date(Date.now() - 60_000) });
  const figures = await queryFigures();
  const works = (name: string) => figures.ofRoute(model, routeTo("first", name)).works;
  expect([works("large"), works("small"), works("tiny")]).toEqual([false, false, true]);
});
