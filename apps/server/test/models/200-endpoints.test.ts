// The routes of a model, with the price, the policy and the state of each.
import { afterAll, expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import {
  at,
  expectFault,
  getPath,
  openAccount,
  readJson,
  startTestServer,
  testModels,
} from "../harness/index.ts";
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

test("the routes of a model for images have its prices by the piece, or by the token", async () => {
  const plain = await startTestServer();
  const { key } = await openAccount(plain);
  const read = (id: string) => getPath(plain, key, `/images/models/${id}/endpoints`);
  const price = { billable: "output_image", unit: "image" };
  expect(await readJson(await read(testModels.imagePiece))).toEqual({
    id: testModels.imagePiece,
    endpoints: [
      expect.objectContaining({
        provider_name: "scripted",
        provider_slug: "scripted",
        pricing: [
          { ...price, cost_usd: 0.04, variant: "1K" },
          { ...price, cost_usd: 0.08, variant: "2K" },
        ],
        supported_parameters: expect.objectContaining({ n: { type: "range", min: 1, max: 4 } }),
        allowed_passthrough_parameters: [],
      }),
    ],
  });
  expect(at(await readJson(await read(testModels.image)), "endpoints.0.pricing")).toEqual([
    { billable: "input_text", unit: "token", cost_usd: 0.000005 },
    { billable: "input_image", unit: "token", cost_usd: 0.000008 },
    { billable: "output_image", unit: "token", cost_usd: 0.00003 },
  ]);
  for (const id of [testModels.cheap, "test/none"]) {
    await expectFault(await read(id), { status: 404, code: "model_not_found", param: "model" });
  }
  await expectFault(await getPath(plain, key, `/images/models/${testModels.image}`), {
    status: 404,
    code: "model_not_found",
    param: "model",
  });
  await plain.close();
});
