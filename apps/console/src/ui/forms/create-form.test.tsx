import { expect, test } from "bun:test";
import { Route, Router } from "@solidjs/router";
import { render, screen, waitFor } from "@solidjs/testing-library";
import { QueryClient, QueryClientProvider } from "@tanstack/solid-query";
import userEvent from "@testing-library/user-event";
import { TRPCClientError } from "@trpc/client";
import type { JSX } from "solid-js";
import { createForm, type Form } from "./create-form.ts";
import { FormFrame } from "./form.tsx";
import { TextField } from "./text-field.tsx";

type Values = { name: string; note: string };

function open(submit: (values: Values) => Promise<unknown>): ReturnType<typeof userEvent.setup> {
  const Page = () => {
    const form = createForm<Values>({
      initial: { name: "", note: "" },
      validate: ({ name }) => ({ name: name === "" ? "Enter a name." : undefined }),
      submit,
      fieldOf: { title: "note" },
    });
    return (
      <FormFrame form={form}>
        <TextField {...form.field("note")} label="Note" />
        <TextField {...form.field("name")} label="Name" />
        <button type="submit">{form.pending() ? "Creating…" : "Create"}</button>
      </FormFrame>
    );
  };
  show(Page);
  return userEvent.setup();
}

function show(Page: () => JSX.Element): void {
  render(() => (
    <QueryClientProvider client={new QueryClient()}>
      <Router>
        <Route path="*" component={Page} />
      </Router>
    </QueryClientProvider>
  ));
}

test("submitting an invalid form sends nothing and focuses the first wrong field", async () => {
  const sent: Values[] = [];
  const user = open(async (values) => sent.push(values));
  await user.click(screen.getByRole("button"));
  const name = screen.getByLabelText("Name");
  expect(document.activeElement).toBe(name);
  expect(name.getAttribute("aria-invalid")).toBe("true");
  const describedBy = name.getAttribute("aria-describedby") ?? "";
  expect(document.getElementById(describedBy)?.textContent).toBe("Enter a name.");
  expect(sent).toEqual([]);
});

test("a field shows no error before blur, and clears its error while typing", async () => {
  const user = open(async () => undefined);
  await user.type(screen.getByLabelText("Name"), "a");
  await user.clear(screen.getByLabelText("Name"));
  expect(screen.queryByText("Enter a name.")).toBeNull();
  await user.click(screen.getByRole("button"));
  screen.getByText("Enter a name.");
  await user.type(screen.getByLabelText("Name"), "b");
  expect(screen.queryByText("Enter a name.")).toBeNull();
});

test("KEY-9 two fast submits send one request", async () => {
  let sent = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const user = open(() => {
    sent += 1;
    return promise;
  });
  await user.type(screen.getByLabelText("Name"), "ci");
  await user.dblClick(screen.getByRole("button"));
  await screen.findByText("Creating…");
  await user.click(screen.getByRole("button"));
  resolve();
  await screen.findByText("Create");
  expect(sent).toBe(1);
});

test("a server error about one field is shown at that field, which gets the focus", async () => {
  const user = open(async () => {
    throw refusal({ fault: "invalid_value", param: "title" }, "Too long for a note.");
  });
  await user.type(screen.getByLabelText("Name"), "ci");
  await user.click(screen.getByRole("button"));
  await screen.findByText("Too long for a note.");
  expect(document.activeElement).toBe(screen.getByLabelText("Note"));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("any other error is shown above the form with its reference, and the values stay", async () => {
  const user = open(async () => {
    throw refusal({ fault: "internal_error", requestId: "req_8f2" }, "Internal error.");
  });
  await user.type(screen.getByLabelText("Name"), "ci");
  await user.click(screen.getByRole("button"));
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Something went wrong on our side.");
  expect(alert.textContent).toContain("req_8f2");
  await waitFor(() => expect(screen.getByLabelText("Name")).toHaveProperty("value", "ci"));
});

test("a form that starts over once it was sent has nothing to lose", async () => {
  let isDirty = () => true;
  const Page = () => {
    const form: Form<{ name: string }> = createForm({
      initial: { name: "" },
      submit: async () => form.reset({ name: "" }),
    });
    isDirty = form.dirty;
    return (
      <FormFrame form={form}>
        <TextField {...form.field("name")} label="Name" />
        <button type="submit">Invite</button>
      </FormFrame>
    );
  };
  show(Page);
  const user = userEvent.setup();
  await user.type(screen.getByLabelText("Name"), "ada");
  expect(isDirty()).toBe(true);
  await user.click(screen.getByRole("button"));
  await waitFor(() => expect(screen.getByLabelText("Name")).toHaveProperty("value", ""));
  expect(isDirty()).toBe(false);
});

function refusal(data: Record<string, unknown>, message: string): Error {
  return TRPCClientError.from({ error: { message, code: -32600, data } });
}
