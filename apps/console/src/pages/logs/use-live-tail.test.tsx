// The live list stays bounded and readable at any rate, and counts what it does not show.
import { expect, test } from "bun:test";
import { renderHook, waitFor } from "@solidjs/testing-library";
import { QueryClientProvider } from "@tanstack/solid-query";
import { createSignal, type ParentProps } from "solid-js";
import { answerApi } from "../../../test/answer-api.fixture.ts";
import { createQueryClient } from "../../lib/create-query-client.ts";
import { pageOf, row } from "./open-logs.fixture.tsx";
import { useLiveTail } from "./use-live-tail.ts";

const idAt = (number: number) => `gen-${String(number).padStart(6, "0")}`;

/** Newest first. */
const idsDown = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => idAt(from - index));

/** A hundred requests have been made; the server sends the newest fifty, and counts up to 501. */
async function openTail() {
  let newest = 100;
  const asked: unknown[] = [];
  const api = answerApi({});
  api.answer("logs.list", (input) => {
    const { newerThan } = Object(input);
    asked.push(newerThan);
    const known = Number(String(newerThan ?? "").slice(4));
    const newer = newerThan === undefined ? null : Math.min(newest - known, 501);
    return { data: { ...pageOf(...idsDown(newest, 50).map((id) => row(id))), newer } };
  });
  const client = createQueryClient(() => undefined);
  const [paused, setPaused] = createSignal(false);
  const { result: tail } = renderHook(
    () =>
      useLiveTail({
        view: { key: () => ["all"], liveInput: () => ({}) },
        pageRows: () => [],
        isPaused: paused,
      }),
    {
      wrapper: (props: ParentProps) => (
        <QueryClientProvider client={client}>{props.children}</QueryClientProvider>
      ),
    },
  );
  const ids = () => tail.rows().map(({ id }) => id);
  await waitFor(() => expect(ids()).toEqual(idsDown(100, 50)));
  return {
    tail,
    ids,
    setPaused,
    async arrive(count: number) {
      newest += count;
      const answered = asked.length;
      await client.refetchQueries({ queryKey: ["logs", "live"] });
      expect(asked.length).toBeGreaterThan(answered);
    },
  };
}

test("of many new requests a refresh takes twenty, and says how many it left out", async () => {
  const { tail, ids, arrive } = await openTail();
  await arrive(300);
  expect(ids()).toEqual([...idsDown(400, 20), ...idsDown(100, 30)]);
  expect(tail.leftOut()).toBe(280);
  await arrive(3_000);
  expect(ids()).toHaveLength(50);
  expect(tail.leftOut()).toBe(481);
});

test("a hundred refreshes at three hundred requests each leave fifty rows", async () => {
  const { ids, arrive } = await openTail();
  for (let refresh = 0; refresh < 100; refresh += 1) await arrive(300);
  expect(ids()).toHaveLength(50);
  expect(ids()[0]).toBe(idAt(30_100));
});

test("requests that were left out follow once there are fewer", async () => {
  const { tail, ids, arrive } = await openTail();
  await arrive(30);
  expect(tail.leftOut()).toBe(10);
  await arrive(1);
  expect(ids()).toEqual(idsDown(131, 50));
  expect(tail.leftOut()).toBe(0);
});

test("while it is paused no row changes, and new requests are counted until they are shown", async () => {
  const { tail, ids, arrive, setPaused } = await openTail();
  setPaused(true);
  await arrive(7);
  expect(tail.fresh()).toBe(7);
  await arrive(3_000);
  expect(tail.fresh()).toBe(501);
  expect(ids()).toEqual(idsDown(100, 50));
  tail.catchUp();
  expect(ids()).toEqual(idsDown(3_107, 50));
  expect([tail.fresh(), tail.leftOut()]).toEqual([0, 451]);
});

test("after a pause the next refresh goes on", async () => {
  const { tail, ids, arrive, setPaused } = await openTail();
  setPaused(true);
  await arrive(2);
  setPaused(false);
  expect(ids()[0]).toBe(idAt(100));
  await arrive(1);
  expect(ids()).toEqual(idsDown(103, 50));
  expect(tail.leftOut()).toBe(0);
});
