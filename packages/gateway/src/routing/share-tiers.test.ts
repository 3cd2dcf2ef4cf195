// Routes of one tier share calls, and related calls go to the same route on every instance.
import { expect, test } from "bun:test";
import type { Route } from "@turnpike/catalog";
import { askFor, chatModel } from "../chat-model.fixture.ts";
import { shareTiers } from "./share-tiers.ts";

const [route] = chatModel.routes;
const tierOf = (upstreamModel: string, tier: number): Route => ({ ...route, upstreamModel, tier });
const equals = [tierOf("a", 1), tierOf("b", 1), tierOf("c", 1), tierOf("d", 2)] as const;

function firstOf(fields: Readonly<Record<string, unknown>>, routes = equals, caller = "key") {
  return shareTiers(askFor(fields), routes, caller).map(({ upstreamModel }) => upstreamModel);
}

const conversations = Array.from({ length: 300 }, (_, index) => ({ session_id: `s${index}` }));

test("routes of different tiers keep their order for every caller", () => {
  const tiers = [tierOf("a", 1), tierOf("b", 2), tierOf("c", 3)] as const;
  expect(shareTiers(askFor({}), tiers, "key")).toBe(tiers);
});

test("conversations are shared among the routes of a tier, and a higher tier comes last", () => {
  const counts = new Map<string | undefined, number>();
  for (const conversation of conversations) {
    const order = firstOf(conversation);
    expect(order.at(-1)).toBe("d");
    counts.set(order[0], (counts.get(order[0]) ?? 0) + 1);
  }
  for (const name of ["a", "b", "c"]) expect(counts.get(name)).toBeGreaterThan(60);
});

test.each([
  [{ prompt_cache_key: "one" }, { prompt_cache_key: "one", session_id: "other" }],
  [{ session_id: "one" }, { session_id: "one", temperature: 1 }],
  [{ user: "one" }, { user: "one", messages: [{ role: "user", content: "another prompt" }] }],
  [{}, { max_tokens: 5 }],
])("related calls go to one route: %j and %j", (one, same) => {
  expect(firstOf(same)).toEqual(firstOf(one));
});

test("a conversation that continues begins with the same text, and stays on its route", () => {
  const system = { role: "system", content: "You are terse. ".repeat(100) };
  const turn = (content: string) => ({ role: "user", content });
  const first = firstOf({ messages: [system, turn("one")] });
  expect(firstOf({ messages: [system, turn("one"), turn("two")] })).toEqual(first);
});

test("the same conversation of another caller is independent", () => {
  const moved = conversations.filter(
    (conversation) => firstOf(conversation)[0] !== firstOf(conversation, equals, "other")[0],
  );
  expect(moved.length).toBeGreaterThan(60);
});

test("if a route is removed, only its own conversations move", () => {
  const [a, b, , d] = equals;
  const fewer = [a, b, d] as const;
  for (const conversation of conversations) {
    const [before] = firstOf(conversation);
    const [after] = shareTiers(askFor(conversation), fewer, "key");
    if (before !== "c") expect(after.upstreamModel).toBe(before ?? "");
  }
});
