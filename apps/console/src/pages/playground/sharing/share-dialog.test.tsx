import { expect, test } from "bun:test";
import { render, screen, within } from "@solidjs/testing-library";
import { QueryClient, QueryClientProvider } from "@tanstack/solid-query";
import userEvent from "@testing-library/user-event";
import { answerApi, config, signedIn } from "../../../../test/answer-api.fixture.ts";
import { type Conversation, newConversation, newMessage } from "../conversation/conversation.ts";
import { ShareDialog } from "./share-dialog.tsx";

function talk(dataChars: number): Conversation {
  const dataUrl = `data:image/png;base64,${"A".repeat(dataChars)}`;
  const image = { name: "dot.png", mimeType: "image/png", dataUrl };
  return newConversation(["test/one"], [newMessage("user", "About whales", [image])]);
}

async function open(conversation: Conversation) {
  const api = answerApi({
    "auth.me": signedIn,
    "config.public": config,
    "conversations.share": () => ({ data: { id: "c1" } }),
  });
  render(() => (
    <QueryClientProvider client={new QueryClient()}>
      <ShareDialog conversation={conversation} onClose={() => undefined} />
    </QueryClientProvider>
  ));
  return { api, dialog: within(await screen.findByRole("dialog")) };
}

test("a conversation is sent with its images, and its address is shown", async () => {
  const { api, dialog } = await open(talk(1_000_000));
  dialog.getByText(/It is a copy as it is now/);
  await userEvent.click(dialog.getByRole("button", { name: "Share" }));
  await dialog.findByText("http://localhost:3000/playground?shared=c1");
  const [sent] = api.calls.filter(({ path }) => path === "conversations.share");
  expect(sent?.input).toMatchObject({ title: "About whales" });
  expect(JSON.stringify(sent?.input).length).toBeGreaterThan(1_000_000);
});

test("one that is too large is not sent, and says how large it is", async () => {
  const { dialog } = await open(talk(2_000_000));
  await dialog.findByText(/^This conversation has 1\.9 MB, and at most 1 MB can be shared\./);
  expect(dialog.getByRole("button", { name: "Share" })).toHaveProperty("disabled", true);
});
