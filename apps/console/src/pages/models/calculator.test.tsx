import { expect, test } from "bun:test";
import { render, screen } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { type RateKind, rateKinds, type UsdRates } from "@turnpike/terms";
import { modelOf } from "../../../test/model.fixture.ts";
import { Calculator } from "./calculator.tsx";
import { fieldLabels, type PricedModel } from "./typed-usage.ts";

const prices = {
  inputUsd: "0.15",
  cachedInputUsd: "0.075",
  cacheWriteUsd: "0.15",
  outputUsd: "0.6",
};
const model = { ...modelOf("test/one", { name: "One", prices }), serviceTiers: [] };

const results = () => [...document.querySelectorAll("dl dd")].map((element) => element.textContent);
const labels = () =>
  [...document.querySelectorAll("label")].map((element) => element.textContent?.trim());

async function type(label: string, text: string): Promise<void> {
  const field = screen.getByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, text);
}

test("the calculator follows what is typed", async () => {
  render(() => <Calculator of={model} />);
  expect(results()).toEqual(["$0.00045", "$0.45"]);
  await type("Input tokens", "2,000");
  await type("Cached input tokens", "2000");
  await type("Output tokens", "0");
  expect(results()).toEqual(["$0.00015", "$0.15"]);
});

test("an invalid count, or more than the input, shows an error instead of an amount", async () => {
  render(() => <Calculator of={model} />);
  await type("Output tokens", "1e5");
  expect(results()).toEqual(["—", "—"]);
  expect(screen.getByText("Enter a whole number.")).toBeTruthy();
  await type("Output tokens", "1");
  await type("Cached input tokens", "1001");
  expect(screen.getByText("Can't exceed input tokens.")).toBeTruthy();
  expect(results()).toEqual(["—", "—"]);
});

test("an amount is exact, and rounded up once to a nano-dollar, for many requests too", async () => {
  // One token at 0.0001 USD per million is a tenth of a nano-dollar.
  const tiny = { ...prices, inputUsd: "0.0001" };
  render(() => <Calculator of={{ ...model, prices: tiny }} />);
  await type("Output tokens", "0");
  await type("Input tokens", "1");
  expect(results()).toEqual(["$0.000000001", "$0.000001"]);
  await type("Input tokens", "999999999");
  await type("Output tokens", "999,999,999");
  expect(results()).toEqual(["$600.0999994", "$600,099.9994"]);
});

test("a model is asked only for what it has prices for", () => {
  const { unmount } = render(() => <Calculator of={model} />);
  expect(labels()).toEqual(["Input tokens", "Cached input tokens", "Output tokens"]);
  unmount();
  render(() => <Calculator of={{ ...model, operation: "embeddings" }} />);
  expect(labels()).toEqual(["Input tokens"]);
});

test("other units are typed as they are named, each variant at its own price", async () => {
  const free = { inputUsd: "0", cachedInputUsd: "0", cacheWriteUsd: "0", outputUsd: "0" };
  const images = [
    { unit: "images", variant: "1K", usd: "0.04" },
    { unit: "images", variant: "4K", usd: "0.12" },
  ] as const;
  const { unmount } = render(() => (
    <Calculator of={{ ...model, operation: "image", prices: { ...free, units: images } }} />
  ));
  expect(labels()).toEqual(["Images", "Images: variant"]);
  expect(results()).toEqual(["$0.04", "$40.00"]);
  await type("Images", "3");
  await userEvent.selectOptions(screen.getByLabelText("Images: variant"), "4K");
  expect(results()).toEqual(["$0.36", "$360.00"]);
  unmount();
  const minute = [{ unit: "audioMilliseconds", usd: "0.006" }] as const;
  render(() => (
    <Calculator of={{ ...model, operation: "transcription", prices: { ...free, units: minute } }} />
  ));
  await type("Seconds of audio", "90");
  expect(results()).toEqual(["$0.009", "$9.00"]);
});

test("a model that is billed by image tokens only asks for them, and they are no part of a text", async () => {
  const tokens = {
    inputUsd: "5",
    cachedInputUsd: "5",
    cacheWriteUsd: "5",
    outputUsd: "30",
    imageOutputUsd: "30",
  };
  render(() => <Calculator of={{ ...model, operation: "image", prices: tokens }} />);
  expect(labels()).toEqual(["Input tokens", "Image output tokens"]);
  await type("Input tokens", "0");
  await type("Image output tokens", "1000");
  expect(results()).toEqual(["$0.03", "$30.00"]);
});

/** Dollars per million of each kind; searches per thousand. */
const usd = {
  input: 2,
  imageInput: 4,
  audioInput: 40,
  cachedInput: 1,
  cacheWrite: 3,
  cacheWrite1h: 5,
  output: 10,
  imageOutput: 60,
  audioOutput: 80,
  webSearch: 25,
} as const satisfies Record<RateKind, number>;

function listOf(factor: number): UsdRates {
  const rate = (kind: RateKind) => `${usd[kind] * factor}`;
  return {
    inputUsd: rate("input"),
    cachedInputUsd: rate("cachedInput"),
    cacheWriteUsd: rate("cacheWrite"),
    cacheWrite1hUsd: rate("cacheWrite1h"),
    imageInputUsd: rate("imageInput"),
    audioInputUsd: rate("audioInput"),
    outputUsd: rate("output"),
    imageOutputUsd: rate("imageOutput"),
    audioOutputUsd: rate("audioOutput"),
    webSearchUsd: rate("webSearch"),
  };
}

const everything: PricedModel = {
  operation: "chat",
  prices: listOf(1),
  longPrompts: [{ aboveTokens: 200_000, prices: listOf(2) }],
  serviceTiers: [
    {
      name: "priority",
      prices: listOf(3),
      longPrompts: [{ aboveTokens: 200_000, prices: listOf(4) }],
    },
  ],
};

/** What is typed for each kind, and what of it is billed at the rate of that kind. */
const typed = {
  input: 100_000,
  imageInput: 2_000,
  audioInput: 10_000,
  cachedInput: 20_000,
  cacheWrite: 30_000,
  cacheWrite1h: 5_000,
  output: 4_000,
  imageOutput: 500,
  audioOutput: 1_000,
  webSearch: 2,
} as const satisfies Record<RateKind, number>;
const billed = { ...typed, input: 33_000, output: 2_500 } as const satisfies Record<
  RateKind,
  number
>;

test("cache writes, audio, searches, service tiers and long prompts are billed at their own prices", async () => {
  render(() => <Calculator of={everything} />);
  for (const kind of rateKinds) await type(fieldLabels[kind], `${typed[kind]}`);
  const microsOf = (kind: RateKind, tokens: number) =>
    kind === "webSearch" ? tokens * usd[kind] * 1_000 : tokens * usd[kind];
  const micros = rateKinds.reduce((sum, kind) => sum + microsOf(kind, billed[kind]), 0);
  // The exact amount of 1,000 requests is a whole number of dollars and cents.
  const shown = (factor: number) =>
    `$${((micros * factor) / 1_000).toLocaleString("en", { minimumFractionDigits: 2 })}`;
  expect(results()[1]).toBe(shown(1));
  await userEvent.selectOptions(screen.getByLabelText("Service tier"), "Priority");
  expect(results()[1]).toBe(shown(3));
  expect(screen.queryByText(/^At the prices of prompts over/)).toBeNull();
  await type("Input tokens", "200001");
  expect(screen.getByText("At the prices of prompts over 200,000 tokens.")).toBeTruthy();
  const long = micros + (200_001 - typed.input) * usd.input;
  expect(results()[1]).toBe(
    `$${((long * 4) / 1_000).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 9 })}`,
  );
});

test("the parts of the input cannot exceed it together, nor audio the output", async () => {
  render(() => <Calculator of={everything} />);
  await type("Cached input tokens", "600");
  await type("Cache write tokens", "401");
  expect(screen.getByText("The parts exceed input tokens.")).toBeTruthy();
  await type("Cache write tokens", "400");
  expect(screen.queryByText("The parts exceed input tokens.")).toBeNull();
  await type("Audio output tokens", "501");
  expect(screen.getByText("Can't exceed output tokens.")).toBeTruthy();
  expect(results()).toEqual(["—", "—"]);
});
