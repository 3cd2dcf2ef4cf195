// The routes of a model, with the price, the policy and the state of each.
import { afterAll, expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import { at, expectFault, getPath, openAccount, readJson } from "../harness/index.ts";
import { routed, startRoutedServer } from "../routing/start-routed-server.ts";

const server = await startRoutedServer({ routeLimits: {} });
const account = await openAccount(server);
afterAll(() => server.close());

test("each route of a model is listed with its own price, in the order it is tried", async () => {
  for (const id of [routed.abc, encodeURIComponent(routed.abc)]) {
    const body = await readJson(await getPath(server, account.key, `/models/${id}/endpoints`));
    expect(body).toMatchObject({
      data: {
        id: routed.abc,
        endpoints: [
          { provider_name: "a", pricing: { prompt: "0.0000001", completion: "0.0000004" } },
          { provider_name: "b", pricing: { prompt: "0.0000002", completion: "0.0000008" } },
          { provider_name: "c", pricing: { prompt: "0.0000003", completion: "0.0000012" } },
        ],
      },
    });
  }
});

test("unknown properties of a route are null, and a route that is skipped says so", async () => {
  const health = server.services.gateway.routeHealth.find("a", "up-a");
  for (let call = 0; call < 5; call += 1) {
    health.failed("connect", newId<AccountId>(), performance.now(), undefined);
  }
  const body = await readJson(await getPath(server, account.key, `/models/${routed.a}/endpoints`));
  expect(at(body, "data.endpoints.0")).toMatchObject({
    status: -1,
    data_collection: null,
    zdr: null,
    uptime_last_30m: null,
    first_byte_ms: null,
  });
});

test("the endpoints of an unknown model are not found, and require a key", async () => {
  const unknown = await getPath(server, account.key, "/models/test/unknown/endpoints");
  await expectFault(unknown, { status: 404, code: "model_not_found", param: "model" });
  expect((await getPath(server, undefined, `/models/${routed.a}/endpoints`)).status).toBe(401);
});
