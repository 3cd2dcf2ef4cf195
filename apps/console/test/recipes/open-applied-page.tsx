// What the recipe of a page adds to the console. `scripts/recipes` runs it in a copy of the repository in which the recipes
// of CONTRIBUTING.md are applied; anywhere else it fails.
import { expect, test } from "bun:test";
import { render, screen } from "@solidjs/testing-library";
import { App } from "../../src/app.tsx";
import { answerApi, config, signedIn, wallet } from "../answer-api.fixture.ts";

test("a page opens under its address, with its title and its data", async () => {
  answerApi({
    "auth.me": signedIn,
    "config.public": config,
    "wallet.summary": wallet,
    "guardrails.list": () => ({ data: { timeZone: "UTC", guardrails: [] } }),
  });
  history.replaceState(null, "", "/almanac");
  render(() => <App />);
  await screen.findByText("0 guardrails in the almanac");
  expect(document.title).toBe("Almanac · Turnpike");
});
