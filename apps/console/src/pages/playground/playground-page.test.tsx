import { expect, test } from "bun:test";
import { render, screen, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { answerApi, config, signedIn, wallet } from "../../../test/answer-api.fixture.ts";
import { modelOf } from "../../../test/model.fixture.ts";
import { App } from "../../app.tsx";
import { newConversation, newMessage } from "./conversation/conversation.ts";
import { createHistory } from "./history/history.ts";

const ids = ["acme/one", "acme/two", "acme/three"];
const user = userEvent.setup({ pointerEventsCheck: 0 });

/** In the palette: "With …", "Playground". */
async function chooseInPalette(typed: string): Promise<void> {
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox", { name: "Search or jump to…" }), typed);
  await user.click(await screen.findByRole("option", { name: "Playground" }));
}

const address = () => Object.fromEntries(new URLSearchParams(location.search));

test("a model that is chosen in the palette answers next in the conversation that is open", async () => {
  const talk = newConversation(["acme/one"], [newMessage("user", "About whales")]);
  createHistory("a1").write({ conversations: [talk], draft: "" });
  history.replaceState(null, "", `/playground?model=acme%2Fone&chat=${talk.id}`);
  answerApi({
    "auth.me": signedIn,
    "config.public": config,
    "wallet.summary": wallet,
    "models.list": () => ({ data: ids.map((id) => modelOf(id)) }),
  });
  render(() => <App />);
  await screen.findByText("Model: one");
  await chooseInPalette("two");
  await screen.findByText("Model: two");
  await screen.findByText("About whales");
  await waitFor(() => expect(address()).toEqual({ model: "acme/two", chat: talk.id }));
  // The same one again changes nothing, and the address stays that of the conversation.
  await chooseInPalette("two");
  await waitFor(() => expect(address()).toEqual({ model: "acme/two", chat: talk.id }));
  // A comparison gets one more.
  await user.click(await screen.findByRole("button", { name: "Compare" }));
  await waitFor(() => expect(address()).toMatchObject({ compare: "acme/two,acme/one" }));
  await chooseInPalette("three");
  await screen.findByRole("region", { name: "Answers of three" });
  expect(screen.getAllByText("About whales")).toHaveLength(3);
  // Another page does not get the address of the conversation.
  await user.click((await screen.findAllByRole("link", { name: "Wallet" }))[0] ?? document.body);
  await waitFor(() => expect(location.pathname).toBe("/wallet"));
  expect(location.search).toBe("");
});

test("a request that is replayed says which of its routing was not taken over", async () => {
  const detail = { id: "gen-1", model: "acme/one", promptTokens: 9, completionTokens: 3 };
  const request = {
    messages: [{ role: "user", content: "About whales" }],
    provider: { only: ["acme", "other"] },
  };
  const truncated = { request: false, answer: false };
  history.replaceState(null, "", "/playground?replay=gen-1");
  answerApi({
    "auth.me": signedIn,
    "config.public": () => ({ data: { ...config().data, prompts: true } }),
    "wallet.summary": wallet,
    "models.list": () => ({ data: ids.map((id) => modelOf(id)) }),
    "logs.detail": () => ({ data: { ...detail, costUsd: "0.000004", finishReason: "stop" } }),
    "logs.prompt": () => ({ data: { request, answer: null, truncated } }),
  });
  render(() => <App />);
  await screen.findByText("About whales");
  await screen.findByText("Its routing rules were left out: another provider may answer.");
});
