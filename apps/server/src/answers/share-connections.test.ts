// How queries about stored answers share connections: never more at once than they may, and payers in turn.
import { expect, test } from "bun:test";
import type { Sql } from "@turnpike/db";
import { shareConnections } from "./share-connections.ts";

/** Handed to queries that do not use it. */
function noDatabase(): Sql {
  return {} as Sql;
}

/** Queries that end when the test says so; none of them reaches a database. */
function open(atOnce: number) {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const { ask, write } = shareConnections(noDatabase(), atOnce);
  const query = (name: string) => () => {
    started.push(name);
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.push(resolve);
    return promise;
  };
  return {
    started,
    ask: (payer: string, name: string) => ask(payer, query(name)),
    write: (payer: string, name: string) => write(payer, query(name)),
    /** Ends the query that started first, and lets the next one start. */
    async endOne() {
      while (ends.length === 0) await Bun.sleep(0);
      ends.shift()?.();
      await Bun.sleep(0);
    },
  };
}

test("payers take turns, however many queries one of them has waiting", async () => {
  const { started, ask, endOne } = open(1);
  const asked = ["a1", "a2", "a3", "a4"].map((name) => ask("a", name));
  asked.push(ask("b", "b1"), ask("b", "b2"), ask("c", "c1"));
  for (const _ of asked) await endOne();
  await Promise.all(asked);
  expect(started).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});

test("no more run at once than may", async () => {
  const { started, ask, endOne } = open(2);
  const asked = ["1", "2", "3", "4"].map((name) => ask(name, name));
  await Bun.sleep(0);
  expect(started).toHaveLength(2);
  await endOne();
  expect(started).toHaveLength(3);
  for (const _ of asked.slice(1)) await endOne();
  await Promise.all(asked);
});

test("a query that gets no turn in time is refused and never runs; a write waits on", async () => {
  const { started, ask, write, endOne } = open(1);
  const first = ask("a", "first");
  const late = ask("a", "late");
  const written = write("a", "written");
  await expect(late).rejects.toMatchObject({ code: "overloaded" });
  expect(started).toEqual(["first"]);
  await endOne();
  expect(started).toEqual(["first", "written"]);
  await endOne();
  await Promise.all([first, written]);
}, 60_000);
