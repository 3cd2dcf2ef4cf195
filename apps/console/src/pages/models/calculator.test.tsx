import { expect, test } from "bun:test";
import { render, screen } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { modelOf } from "../../../test/model.fixture.ts";
import { Calculator } from "./calculator.tsx";

const model = modelOf("test/one", {
  name: "One",
  prices: { inputUsd: "0.15", cachedInputUsd: "0.075", cacheWriteUsd: "0", outputUsd: "0.6" },
});

const results = () => [...document.querySelectorAll("dl dd")].map((element) => element.textContent);

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
