import { expect, test } from "bun:test";
import { newId, type PriceId } from "@turnpike/base";
import { parseChatRequest } from "@turnpike/wire";
import type { Model } from "./model.ts";
import { refusePriceChanging } from "./refuse-price-changing.ts";
import { sandboxModels } from "./sandbox-models.ts";

const [entry] = sandboxModels("http://127.0.0.1:1/v1");
if (!entry) throw new Error("there are no sandbox models");
const price = { ...entry.rates, id: newId<PriceId>(), since: new Date(0) };
const model: Model = { ...entry, price };

function chatWith(fields: Record<string, unknown>) {
  const messages = [{ role: "user", content: "Hi" }];
  return parseChatRequest(JSON.stringify({ model: model.id, messages, ...fields }));
}

test("a field that changes the price is refused by its name", () => {
  expect(() => refusePriceChanging(model, chatWith({ service_tier: "priority" }))).toThrow(
    expect.objectContaining({
      code: "unsupported_parameter",
      details: { param: "service_tier" },
    }),
  );
});

test("what costs nothing extra passes", () => {
  refusePriceChanging(model, chatWith({ service_tier: "default", temperature: 1, top_k: 3 }));
  expect(chatWith({ service_tier: "default" }).priceChanging).toEqual([]);
});
