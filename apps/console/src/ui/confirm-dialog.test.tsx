// A question about a change: what failed is said in it and forgotten with it; once it worked, it closes.
import { expect, test } from "bun:test";
import { render, screen, waitFor } from "@solidjs/testing-library";
import { QueryClient, QueryClientProvider } from "@tanstack/solid-query";
import userEvent from "@testing-library/user-event";
import { createSignal } from "solid-js";
import { ConfirmDialog } from "./confirm-dialog.tsx";

test.each([
  [" zu\u0308rich \u00a0KG ", true],
  ["Z\u00fcrich\u200b KG", false],
  ["Zurich KG", false],
])("%j typed for Zürich KG confirms it: %j", async (typed, isConfirmed) => {
  render(() => (
    <QueryClientProvider client={new QueryClient()}>
      <ConfirmDialog
        of="it"
        onClose={() => undefined}
        title="Delete it?"
        confirmLabel="Delete"
        change={async () => undefined}
        typeToConfirm={{ label: "Its name", text: "Z\u00fcrich KG" }}
      >
        It is gone.
      </ConfirmDialog>
    </QueryClientProvider>
  ));
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText("Its name"), typed);
  const button: HTMLButtonElement = await screen.findByRole("button", { name: "Delete" });
  expect(button.disabled).toBe(!isConfirmed);
});

test("a failed change is said in the question, and a new question starts without it", async () => {
  const [of, setOf] = createSignal<string>();
  let works = false;
  const changed: string[] = [];
  render(() => (
    <QueryClientProvider client={new QueryClient()}>
      <ConfirmDialog
        of={of()}
        onClose={() => setOf(undefined)}
        title="Revoke it?"
        confirmLabel="Revoke"
        change={async (name) => {
          if (!works) throw new Error("refused");
          changed.push(name);
        }}
      >
        It stops working.
      </ConfirmDialog>
    </QueryClientProvider>
  ));
  const user = userEvent.setup();
  setOf("ci");
  const press = async (name: string) => user.click(await screen.findByRole("button", { name }));
  await press("Revoke");
  await screen.findByText("Something went wrong on our side.");
  await press("Cancel");
  expect(of()).toBeUndefined();
  works = true;
  setOf("ci");
  expect(screen.queryAllByText("Something went wrong on our side.")).toHaveLength(0);
  await press("Revoke");
  await waitFor(() => expect(of()).toBeUndefined());
  expect(changed).toEqual(["ci"]);
});
