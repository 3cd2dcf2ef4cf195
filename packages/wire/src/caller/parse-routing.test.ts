// Every member of `provider` is read or refused by its path; none is accepted and ignored.
import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { noPreferences } from "./parse-provider-preferences.ts";
import { parseRouting } from "./parse-routing.ts";

function refusal(body: Readonly<Record<string, unknown>>) {
  try {
    parseRouting(body);
  } catch (thrown) {
    if (thrown instanceof Fault) return { code: thrown.code, param: thrown.details.param };
    throw thrown;
  }
  throw new Error(`accepted: ${JSON.stringify(body)}`);
}

test("a request without preferences has none", () => {
  for (const body of [{}, { provider: null }, { route: "fallback" }, { route: null }]) {
    expect(parseRouting(body)).toBeUndefined();
  }
});

test("every preference that can be honored is read", () => {
  const provider = {
    order: ["OpenAI", "groq"],
    only: ["openai"],
    ignore: ["xai"],
    allow_fallbacks: false,
    require_parameters: true,
    data_collection: "deny",
    zdr: true,
    sort: "price",
    max_price: { prompt: 0.15, completion: "2.5", request: 0, image: "1" },
    quantizations: [],
    enforce_distillable_text: false,
  };
  expect(parseRouting({ provider })).toEqual({
    order: ["openai", "groq"],
    only: ["openai"],
    ignore: ["xai"],
    allowFallbacks: false,
    requireParameters: true,
    denyDataCollection: true,
    zdr: true,
    sort: "price",
    maxPrice: {
      promptNanosPerMillion: 150_000_000n,
      completionNanosPerMillion: 2_500_000_000n,
      audioNanosPerMillion: undefined,
    },
  });
});

test("a provider is named in any case, and not by signs that only look like its letters", () => {
  const provider = { only: ["KIMI"], ignore: ["\u212aimi"] };
  expect(parseRouting({ provider })).toMatchObject({ only: ["kimi"], ignore: ["\u212aimi"] });
});

test("null and values that ask for nothing change nothing", () => {
  const provider = { order: null, zdr: false, data_collection: "allow", sort: null };
  expect(parseRouting({ provider })).toEqual(noPreferences);
  expect(parseRouting({ provider: {} })).toEqual(noPreferences);
});

test("sort may be an object, within one model", () => {
  const sort = { by: "latency", partition: "model" };
  expect(parseRouting({ provider: { sort } })?.sort).toBe("latency");
});

test.each([
  ["provider", "openai", "invalid_type"],
  ["route", "sort", "invalid_value"],
  ["route", 1, "invalid_type"],
])("%s: %p is refused", (name, value, code) => {
  expect(refusal({ [name]: value })).toEqual({ code, param: name } as never);
});

test.each([
  ["quantizations", ["fp8"], "unsupported_parameter", "provider.quantizations"],
  ["enforce_distillable_text", true, "unsupported_parameter", "provider.enforce_distillable_text"],
  ["preferred_min_throughput", 10, "unsupported_parameter", "provider.preferred_min_throughput"],
  ["preferred_max_latency", { p50: 1 }, "unsupported_parameter", "provider.preferred_max_latency"],
  ["experimental", {}, "unsupported_parameter", "provider.experimental"],
  ["data_colection", "deny", "unsupported_parameter", "provider.data_colection"],
  ["order", "openai", "invalid_type", "provider.order"],
  ["only", [1], "invalid_type", "provider.only[0]"],
  ["ignore", [""], "string_below_min_length", "provider.ignore[0]"],
  ["order", Array.from({ length: 33 }, () => "a"), "array_above_max_length", "provider.order"],
  ["allow_fallbacks", "no", "invalid_type", "provider.allow_fallbacks"],
  ["require_parameters", 1, "invalid_type", "provider.require_parameters"],
  ["data_collection", "never", "invalid_value", "provider.data_collection"],
  ["zdr", "true", "invalid_type", "provider.zdr"],
  ["sort", "quality", "invalid_value", "provider.sort"],
  ["sort", 1, "invalid_type", "provider.sort"],
  ["sort", { by: "quality" }, "invalid_value", "provider.sort.by"],
  ["sort", { by: "price", partition: "none" }, "unsupported_value", "provider.sort.partition"],
  ["sort", { by: "price", order: "desc" }, "unsupported_parameter", "provider.sort.order"],
  ["max_price", 1, "invalid_type", "provider.max_price"],
  ["max_price", { prompt: -1 }, "invalid_value", "provider.max_price.prompt"],
  ["max_price", { prompt: "cheap" }, "invalid_value", "provider.max_price.prompt"],
  ["max_price", { completion: true }, "invalid_type", "provider.max_price.completion"],
  ["max_price", { second: 1 }, "unsupported_parameter", "provider.max_price.second"],
])("provider.%s: %p is refused by its path", (name, value, code, param) => {
  expect(refusal({ provider: { [name]: value } })).toEqual({ code, param } as never);
});
