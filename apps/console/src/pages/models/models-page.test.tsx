import { expect, test } from "bun:test";
import { render, screen } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { answerApi, config, signedIn, wallet } from "../../../test/answer-api.fixture.ts";
import { modelOf } from "../../../test/model.fixture.ts";
import { App } from "../../app.tsx";

test("Back leaves the list of models at once, however often it was sorted", async () => {
  history.replaceState(null, "", "/models");
  answerApi({
    "auth.me": signedIn,
    "config.public": config,
    "wallet.summary": wallet,
    "models.list": () => ({ data: ["acme/one", "acme/two"].map((id) => modelOf(id)) }),
  });
  render(() => <App />);
  const before = history.length;
  for (const title of ["Context", "Input"]) {
    await userEvent.click(await screen.findByRole("button", { name: title }));
  }
  expect(location.search).toContain("sort=");
  expect(history.length).toBe(before);
});
