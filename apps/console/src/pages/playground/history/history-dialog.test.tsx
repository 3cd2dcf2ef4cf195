import { expect, test } from "bun:test";
import { screen, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { type Conversation, newConversation, newMessage } from "../conversation/conversation.ts";
import { writeConversation } from "../conversation/conversation-file.ts";
import { kept, model, open, serve } from "../open-playground.fixture.tsx";
import { createHistory } from "./history.ts";

const user = userEvent.setup();

function talk(text: string, updatedAt: number): Conversation {
  return { ...newConversation([model.id], [newMessage("user", text)]), updatedAt };
}

const current = talk("The current one", 3);
const older = talk("About whales", 2);
const oldest = talk("About Rome", 1);

async function openDialog() {
  serve(() => new Response());
  createHistory("account").write({ conversations: [current, older, oldest], draft: "" });
  open({ initial: current });
  await user.click(screen.getByRole("button", { name: "History" }));
  return within(await screen.findByRole("dialog", { name: "History" }));
}

const titles = () => kept().map(({ name, threads }) => name ?? threads[0]?.messages[0]?.text);

async function choose(title: string, item: string) {
  await user.click(screen.getByRole("button", { name: `Actions for ${title}` }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
}

test("a conversation is renamed, also the current one; Esc keeps its name and the dialog", async () => {
  const dialog = await openDialog();
  await choose("About whales", "Rename");
  await user.clear(dialog.getByLabelText("Name"));
  await user.type(dialog.getByLabelText("Name"), "Animals");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await dialog.findByText("Animals");
  await choose("The current one", "Rename");
  await user.clear(dialog.getByLabelText("Name"));
  await user.type(dialog.getByLabelText("Name"), "Mine{Enter}");
  expect(titles()).toEqual(["Mine", "Animals", "About Rome"]);
  await choose("About Rome", "Rename");
  await user.type(dialog.getByLabelText("Name"), " and more{Escape}");
  await dialog.findByText("About Rome");
  expect(titles()).toEqual(["Mine", "Animals", "About Rome"]);
  // Opening another one keeps the current one with its new name.
  await user.click(dialog.getByText("Animals"));
  await waitFor(() => expect(titles()).toEqual(["Mine", "Animals", "About Rome"]));
});

test("a deleted conversation can be taken back to its place", async () => {
  const dialog = await openDialog();
  await choose("About whales", "Delete");
  await dialog.findByText("Deleted “About whales”");
  expect(titles()).toEqual(["The current one", "About Rome"]);
  const undo = dialog.getByRole("button", { name: "Undo" });
  await waitFor(() => expect(document.activeElement).toBe(undo));
  await user.click(undo);
  expect(titles()).toEqual(["The current one", "About whales", "About Rome"]);
});

test("the history is searched by what was said", async () => {
  const dialog = await openDialog();
  await user.type(dialog.getByLabelText("Search conversations"), "rome");
  const list = within(dialog.getByRole("list", { name: "Conversations" }));
  expect(list.getAllByRole("listitem")).toHaveLength(1);
  list.getByText("About Rome");
  await user.type(dialog.getByLabelText("Search conversations"), " whales");
  await dialog.findByText("No conversation contains this.");
});

test("an imported conversation is opened, and the current one is kept", async () => {
  const dialog = await openDialog();
  const file = (name: string, text: string) => new File([text], name, { type: "application/json" });
  const field = dialog.getByLabelText("Import a conversation");
  await user.upload(field, file("notes.json", '{"format":"notes"}'));
  await dialog.findByText(/^notes\.json was not imported\. This is not the file/);
  expect(titles()).toEqual(["The current one", "About whales", "About Rome"]);
  await user.upload(field, file("talk.json", writeConversation(talk("From elsewhere", 9))));
  const all = ["From elsewhere", "The current one", "About whales", "About Rome"];
  await waitFor(() => expect(titles()).toEqual(all));
});
