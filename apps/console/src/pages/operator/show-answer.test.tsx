// What a verb of the desk answers besides that it was done: an archive is downloaded, and a secret is shown as one.
import { expect, spyOn, test } from "bun:test";
import { Route, Router } from "@solidjs/router";
import { fireEvent, render, screen, waitFor } from "@solidjs/testing-library";
import { OpenDialogs } from "../../ui/dialogs/open-dialog.tsx";
import { showAnswer } from "./show-answer.tsx";

const openDialogs = () =>
  render(() => (
    <Router>
      <Route path="*" component={OpenDialogs} />
    </Router>
  ));

test("the archive that an answer names is downloaded with POST", async () => {
  const archive = new Response("archive", {
    headers: { "content-disposition": 'attachment; filename="acme.tar.gz"' },
  });
  const fetched = spyOn(globalThis, "fetch").mockResolvedValue(archive);
  const saved = spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
  try {
    const path = "/console/export?of=operated&account=a";
    showAnswer({ label: "Export data" }, { accountId: "a", path }, { account: "a" });
    await waitFor(() => expect(saved).toHaveBeenCalled());
    expect(fetched).toHaveBeenCalledWith(path, expect.objectContaining({ method: "POST" }));
    expect(saved.mock.contexts[0]).toHaveProperty("download", "acme.tar.gz");
  } finally {
    fetched.mockRestore();
    saved.mockRestore();
  }
});

test("a secret can be copied, and its dialog asks before it is closed without that", async () => {
  openDialogs();
  showAnswer({ label: "Create API key", secret: "key" }, { id: "k", key: "sk-tp-secret" }, {});
  expect(await screen.findByLabelText("Your new key")).toHaveProperty("value", "sk-tp-secret");
  await screen.findByRole("button", { name: "Copy key" });
  fireEvent.click(screen.getByRole("button", { name: "Done" }));
  await screen.findByText("Close without copying the key?");
  fireEvent.click(screen.getByRole("button", { name: "Close anyway" }));
  await waitFor(() => expect(screen.queryByLabelText("Your new key")).toBeNull());
});
