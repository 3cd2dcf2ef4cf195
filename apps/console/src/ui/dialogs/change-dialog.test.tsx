// A declared change: its fields say what is wrong with them, it is sent once, and the focus returns to what asked for it.
import { expect, test } from "bun:test";
import { Route, Router, useNavigate } from "@solidjs/router";
import { render, screen, waitFor } from "@solidjs/testing-library";
import { QueryClient, QueryClientProvider } from "@tanstack/solid-query";
import userEvent from "@testing-library/user-event";
import { TRPCClientError } from "@trpc/client";
import { createEffect, lazy, Suspense } from "solid-js";
import { Button } from "../buttons/button.tsx";
import { askChange, OpenDialogs } from "./open-dialog.tsx";

type Asked = Parameters<typeof askChange<{ name: string }, unknown>>[0];

const named: Asked = {
  title: "Rename it",
  initial: { name: "" },
  fields: [{ kind: "text", name: "name", label: "Name" }],
  validate: ({ name }) => ({ name: name === "" ? "Enter a name." : undefined }),
  confirmLabel: "Save name",
  pendingLabel: "Saving…",
  run: async () => undefined,
};

const deleted: Asked = {
  title: "Delete it?",
  text: "It is gone.",
  initial: { name: "" },
  confirmLabel: "Delete",
  question: { typeToConfirm: { label: "Its name", text: "Z\u00fcrich KG" } },
  run: async () => undefined,
};

/** A page whose button asks for the change. */
async function openPage(change: Asked) {
  render(() => (
    <QueryClientProvider client={new QueryClient()}>
      <Router>
        <Route
          path="*"
          component={() => (
            <>
              <button type="button" onClick={() => askChange(change)}>
                Ask
              </button>
              <OpenDialogs />
            </>
          )}
        />
      </Router>
    </QueryClientProvider>
  ));
  const user = userEvent.setup();
  const button = await screen.findByRole("button", { name: "Ask" });
  await user.click(button);
  const press = async (name: string) => user.click(await screen.findByRole("button", { name }));
  return { user, button, press };
}

async function isClosed(role: "dialog" | "alertdialog"): Promise<void> {
  await waitFor(() => expect(screen.queryAllByRole(role)).toHaveLength(0));
}

/** As the server refuses a value. */
function refused(param: string, message: string): Error {
  const data = { code: "BAD_REQUEST", httpStatus: 400, fault: "invalid_value", param };
  return TRPCClientError.from({ error: { code: -32600, message, data } });
}

test("a wrong value is said beside its field, which takes the focus, and nothing is sent", async () => {
  const sent: string[] = [];
  const { user, press } = await openPage({
    ...named,
    run: async ({ name }) => {
      sent.push(name);
    },
  });
  await press("Save name");
  const field = await screen.findByLabelText("Name");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(document.activeElement).toBe(field);
  expect(screen.getByText("Enter a name.").closest("p")?.id).toBe(
    field.getAttribute("aria-describedby") ?? "",
  );
  expect(sent).toEqual([]);
  await user.type(field, "ci");
  await press("Save name");
  await isClosed("dialog");
  expect(sent).toEqual(["ci"]);
});

test.each(["dialog", "alertdialog"] as const)(
  "what the server refuses in a %s is said beside the field it names",
  async (role) => {
    const { press } = await openPage({
      ...named,
      initial: { name: "ci" },
      ...(role === "alertdialog" && { question: {} }),
      run: () => Promise.reject(refused("name", "Another one has this name.")),
    });
    await press("Save name");
    await screen.findByText("Another one has this name.");
    const field = await screen.findByLabelText("Name");
    expect(field.getAttribute("aria-invalid")).toBe("true");
    await waitFor(() => expect(document.activeElement).toBe(field));
  },
);

test.each(["dialog", "alertdialog"] as const)(
  "while it is made, a %s says so, ignores repeats, and a question stays open",
  async (role) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let sent = 0;
    const { user, button, press } = await openPage({
      ...named,
      initial: { name: "ci" },
      ...(role === "alertdialog" && { question: {} }),
      run: () => {
        sent += 1;
        return promise;
      },
    });
    await press("Save name");
    await press("Saving…");
    expect(sent).toBe(1);
    if (role === "alertdialog") {
      await user.keyboard("{Escape}");
      expect(screen.queryAllByRole("alertdialog")).toHaveLength(1);
    }
    resolve();
    await isClosed(role);
    await waitFor(() => expect(document.activeElement).toBe(button));
  },
);

test("Escape closes it, and the focus returns to what asked; typed text is asked about first", async () => {
  const { user, button, press } = await openPage(named);
  await screen.findByLabelText("Name");
  await user.keyboard("{Escape}");
  await isClosed("dialog");
  await waitFor(() => expect(document.activeElement).toBe(button));
  await user.click(button);
  await user.type(await screen.findByLabelText("Name"), "ci");
  await user.keyboard("{Escape}");
  await screen.findByText("Discard changes?");
  await press("Discard");
  await isClosed("dialog");
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test.each([
  [" zu\u0308rich \u00a0KG ", true],
  ["Z\u00fcrich\u200b KG", false],
  ["Zurich KG", false],
])(
  "a question has the focus on Cancel; %j typed for Zürich KG confirms it: %j",
  async (typed, isConfirmed) => {
    const { user } = await openPage(deleted);
    const cancel = await screen.findByRole("button", { name: "Cancel" });
    await waitFor(() => expect(document.activeElement).toBe(cancel));
    await user.type(await screen.findByLabelText("Its name"), typed);
    const button: HTMLButtonElement = await screen.findByRole("button", { name: "Delete" });
    expect(button.disabled).toBe(!isConfirmed);
  },
);

test("a failed change is said in the question, and a new question starts without it", async () => {
  let works = false;
  const done: string[] = [];
  const { button, user, press } = await openPage({
    ...named,
    question: {},
    initial: { name: "ci" },
    run: async ({ name }) => {
      if (!works) throw new Error("refused");
      done.push(name);
    },
  });
  await press("Save name");
  await screen.findByText("Something went wrong on our side.");
  await press("Cancel");
  await isClosed("alertdialog");
  works = true;
  await user.click(button);
  expect(screen.queryAllByText("Something went wrong on our side.")).toHaveLength(0);
  await press("Save name");
  await isClosed("alertdialog");
  expect(done).toEqual(["ci"]);
});

test("a dialog closes with its page, and one that the next page opens stays", async () => {
  const Next = () => {
    createEffect(() => askChange(deleted));
    return <p>Next page</p>;
  };
  // Pages are loaded when they are opened, in a second phase of the router's transition.
  const loaded = Promise.withResolvers<{ default: typeof Next }>();
  let leave: () => void = () => undefined;
  const First = () => {
    const navigate = useNavigate();
    leave = () => navigate("/next");
    return <Button onClick={() => askChange(deleted)}>Ask</Button>;
  };
  render(() => (
    <QueryClientProvider client={new QueryClient()}>
      <Router
        root={(root) => (
          <>
            <Suspense>{root.children}</Suspense>
            <OpenDialogs />
          </>
        )}
      >
        <Route path="/next" component={lazy(() => loaded.promise)} />
        <Route path="*" component={First} />
      </Router>
    </QueryClientProvider>
  ));
  await userEvent.setup().click(await screen.findByText("Ask"));
  await screen.findByText("Delete it?");
  leave();
  loaded.resolve({ default: Next });
  await screen.findByText("Next page");
  await waitFor(() => expect(screen.queryAllByRole("alertdialog")).toHaveLength(1));
  history.replaceState(null, "", "/");
});
