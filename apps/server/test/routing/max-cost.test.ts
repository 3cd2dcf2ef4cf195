// A caller's ceiling excludes the routes and models that it does not cover, and refuses a request only
// if it covers none.
import { expect, test } from "bun:test";
import { at, expectFault, type JsonObject, openAccount } from "../harness/index.ts";
import {
  askRouted,
  countRequests,
  readGeneration,
  routed,
  scriptAll,
  useRoutedServer,
} from "./start-routed-server.ts";

const { server, account } = await useRoutedServer({ times: { retryJitterMs: 5 } });

const tooDear = { status: 400, code: "unsupported_value", param: "max_cost" };

/** Always of the same length, because the bytes of a body bound its prompt. */
const usd = (amount: number) => amount.toFixed(9);

/** The cost of the request with its shortest answer at the cheapest route, in USD. */
async function readFloor(fields: JsonObject): Promise<number> {
  const refused = await askRouted(server, account, { ...fields, max_cost: usd(0) });
  const error = await expectFault(refused, tooDear);
  return Number(at(error, "metadata.needed_usd"));
}

test("a route whose shortest answer costs more than the ceiling is not called, even if the others fail", async () => {
  const ceiling = usd(2.5 * (await readFloor({})));
  const answered = await askRouted(server, account, { max_cost: ceiling });
  expect(answered.status).toBe(200);
  const cost = Number(at(await answered.json(), "usage.cost"));
  expect(cost).toBeGreaterThan(0);
  expect(cost).toBeLessThanOrEqual(Number(ceiling));
  scriptAll(server, { a: { status: 500 }, b: { status: 500 } });
  const before = countRequests(server);
  const failed = await askRouted(server, account, { max_cost: ceiling });
  await expectFault(failed, { status: 502, type: "upstream_error", code: "bad_gateway" });
  expect(countRequests(server)).toEqual({ a: before.a + 1, b: before.b + 1, c: before.c });
});

test("a model that costs more than the ceiling is excluded, and the next one of the list answers", async () => {
  const provider = { only: ["c"] };
  const floor = await readFloor({ model: routed.c });
  const response = await askRouted(server, account, {
    model: routed.abc,
    models: [routed.c],
    provider,
    max_cost: usd(2 * floor),
  });
  expect(response.status).toBe(200);
  expect(at(await response.json(), "model")).toBe(routed.c);
  const generation = await readGeneration(server, account, response);
  expect(Number(generation.held_usd)).toBeLessThanOrEqual(2 * floor);
});

test("the refusal names what the cheapest route needs", async () => {
  const floor = await readFloor({});
  const refused = await askRouted(server, account, { max_cost: usd(floor - 1e-9) });
  const error = await expectFault(refused, tooDear);
  expect(Number(at(error, "metadata.needed_usd"))).toBe(floor);
});

test("an account without money is refused by 402, whatever the ceiling", async () => {
  const poor = await openAccount(server, { usd: "0" });
  const refused = await askRouted(server, poor, { max_cost: "1" });
  await expectFault(refused, {
    status: 402,
    type: "insufficient_quota",
    code: "insufficient_quota",
  });
});
