import { afterEach, expect, test } from "bun:test";
import { A, Route, Router } from "@solidjs/router";
import { render, screen, waitFor } from "@solidjs/testing-library";
import { QueryClient, QueryClientProvider } from "@tanstack/solid-query";
import userEvent from "@testing-library/user-event";
import { createForm } from "../forms/create-form.ts";
import { FormFrame } from "../forms/form.tsx";
import { TextField } from "../forms/text-field.tsx";

afterEach(() => window.history.replaceState(null, "", "/"));

function open(mayBeLost = false): ReturnType<typeof userEvent.setup> {
  const Page = () => {
    const form = createForm({ initial: { name: "" }, submit: async () => undefined });
    return (
      <>
        <FormFrame form={form} mayBeLost={mayBeLost}>
          <TextField {...form.field("name")} label="Name" />
          <button type="submit">Save</button>
        </FormFrame>
        <A href="/other">Elsewhere</A>
      </>
    );
  };
  render(() => (
    <QueryClientProvider client={new QueryClient()}>
      <Router>
        <Route path="/" component={Page} />
        <Route path="/other" component={() => <p>Other page</p>} />
      </Router>
    </QueryClientProvider>
  ));
  return userEvent.setup();
}

function isReloadAsked(): boolean {
  return !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

test("every form asks before its page is left or reloaded with input, until it is saved", async () => {
  const user = open();
  expect(isReloadAsked()).toBe(false);
  await user.type(screen.getByLabelText("Name"), "half written");
  expect(isReloadAsked()).toBe(true);
  await user.click(screen.getByText("Elsewhere"));
  await user.click(await screen.findByRole("button", { name: "Keep editing" }));
  expect(screen.getByLabelText("Name")).toHaveProperty("value", "half written");
  await user.click(screen.getByText("Elsewhere"));
  await user.click(await screen.findByRole("button", { name: "Discard" }));
  await screen.findByText("Other page");
  expect(isReloadAsked()).toBe(false);
});

test("what is saved, or may be lost, is not asked about", async () => {
  const user = open();
  await user.type(screen.getByLabelText("Name"), "written");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(isReloadAsked()).toBe(false));
  await user.click(screen.getByText("Elsewhere"));
  await screen.findByText("Other page");
});

test("a form where one signs in is left without a question", async () => {
  const user = open(true);
  await user.type(screen.getByLabelText("Name"), "written");
  expect(isReloadAsked()).toBe(false);
  await user.click(screen.getByText("Elsewhere"));
  await screen.findByText("Other page");
});
