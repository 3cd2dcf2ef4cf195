// Conversations of the Playground beyond one browser: files, what members share in an account, and requests of Logs.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { askChat } from "./ask-gateway.fixture.ts";
import { askUntilStored } from "./ask-until-stored.fixture.ts";
import { memberTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { accept, joinOrganization } from "./join-organization.fixture.ts";
import { readDownload, requestSheet } from "./read-page.fixture.ts";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = {
  name: "dot.png",
  mimeType: "image/png",
  dataUrl: `data:image/png;base64,${pixel}`,
};
const file = {
  format: "turnpike-conversation",
  version: 1,
  name: "Capitals",
  system: "Be brief.",
  threads: [
    {
      model: models.large,
      messages: [
        { role: "user", text: "The capital of Italy?", attachments: [image] },
        { role: "assistant", text: "**Rome**", run: { model: models.large, finishReason: "stop" } },
      ],
    },
  ],
};

/** Of what a list of the API contains. */
function idOf(value: unknown): string {
  return (value as { id: string }).id;
}

async function openHistory(page: Page) {
  await page.getByRole("button", { name: "History", exact: true }).click();
  return page.getByRole("dialog", { name: "History" });
}

async function importFile(page: Page, text: string): Promise<void> {
  await openHistory(page);
  const buffer = Buffer.from(text);
  await page
    .getByLabel("Import a conversation")
    .setInputFiles({ name: "talk.json", mimeType: "application/json", buffer });
}

memberTest(
  "a conversation is imported from the file it was exported to, and a wrong file says what is wrong",
  async ({ page, goTo }) => {
    await goTo("/playground");
    await importFile(page, JSON.stringify({ ...file, threads: [{ model: "x", messages: [{}] }] }));
    await page
      .getByText(
        "talk.json was not imported. threads[0].messages[0].role must be user or assistant.",
      )
      .waitFor();
    await page.keyboard.press("Escape");
    await importFile(page, JSON.stringify(file));
    await page.locator("strong", { hasText: "Rome" }).waitFor();
    await page.getByRole("img", { name: "dot.png" }).waitFor();
    await openHistory(page);
    await page.getByRole("button", { name: "Actions for Capitals" }).click();
    const item = page.getByRole("menuitem", { name: "Download as JSON" });
    const written = JSON.parse(await readDownload(page, item));
    expect(written).toMatchObject(file);
    await page.getByRole("button", { name: "Actions for Capitals" }).click();
    const markdown = page.getByRole("menuitem", { name: "Download as Markdown" });
    expect(await readDownload(page, markdown)).toContain("### You\n\nThe capital of Italy?");
  },
);

memberTest(
  "a shared conversation is read by a colleague, continued as a copy of their own, and gone once it is removed",
  async (one) => {
    const { page, goTo } = one;
    const organization = await joinOrganization(one, "developer");
    await goTo(`${organization.base}/playground`);
    await importFile(page, JSON.stringify(file));
    await openHistory(page);
    await page.getByRole("button", { name: "Actions for Capitals" }).click();
    await page.getByRole("menuitem", { name: "Share with Team of developer" }).click();
    const dialog = page.getByRole("dialog", { name: "Share conversation" });
    await dialog.getByText("Members of Team of developer who may use the playground").waitFor();
    await dialog.getByRole("button", { name: "Share", exact: true }).click();
    const address = new URL((await dialog.getByText("?shared=").textContent()) ?? "");
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("heading", { name: "Shared in Team of developer" }).waitFor();

    await accept(one, organization, async (colleague) => {
      const theirs = colleague.page;
      await colleague.goTo(address.pathname + address.search);
      await theirs.getByText(`Shared by ${one.member.email}`).waitFor();
      await theirs.locator("strong", { hasText: "Rome" }).waitFor();
      await theirs.getByRole("img", { name: "dot.png" }).waitFor();
      for (const name of ["Edit message", "Regenerate", "Stop sharing", "Send"]) {
        expect([name, await theirs.getByRole("button", { name }).count()]).toEqual([name, 0]);
      }
      await theirs.getByRole("button", { name: "Continue in a copy" }).click();
      await theirs.getByLabel("Your message").waitFor();
      await theirs.getByRole("button", { name: "Edit message" }).first().waitFor();
      await theirs.getByRole("img", { name: "dot.png" }).waitFor();
      expect(new URL(theirs.url()).searchParams.get("shared")).toBeNull();
      await theirs.reload();
      await theirs.locator("strong", { hasText: "Rome" }).waitFor();
    });

    await goTo(`${organization.base}/playground`);
    await openHistory(page);
    await page.getByRole("button", { name: "Stop sharing Capitals" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Stop sharing" }).click();
    await page.getByText("None yet. Share one by its menu.").waitFor();
    await goTo(address.pathname + address.search);
    await page.getByText("This conversation is not shared here, or no longer.").waitFor();
  },
);

memberTest(
  "a request is opened in the playground with its messages where they are stored, else with its model",
  async ({ page, goTo, member, environment }) => {
    const { key } = await member.createKey("talks");
    const ask = (content: string) => askChat(environment, key, { model: models.mini, content });
    await ask("said before it was on");
    const [id] = Object.values(await member.query("projects.list")).map(idOf);
    await member.mutate("projects.setPrompts", { id, days: 30, redacts: true });
    await askUntilStored(member, () => ask("tell me about whales"));
    const rows = page.getByRole("table", { name: "Requests, newest first" }).locator("tbody a");
    const open = () => requestSheet(page).getByRole("link", { name: "Open in Playground" }).click();

    await goTo("/logs");
    await rows.first().click();
    await open();
    await page.getByText("tell me about whales").first().waitFor();
    await page.getByRole("button", { name: "Regenerate" }).waitFor({ state: "attached" });
    await page.getByRole("link", { name: "View log" }).waitFor();
    expect(new URL(page.url()).searchParams.get("replay")).toBeNull();
    expect(new URL(page.url()).searchParams.get("chat")).toBeTruthy();
    await page.reload();
    await page.getByText("tell me about whales").first().waitFor();

    await goTo("/logs");
    await rows.last().click();
    await open();
    await page.getByText("Its prompt is not stored: only the model was taken over.").waitFor();
    await page.getByText("Send a message to start.").waitFor();
    await page.getByRole("button", { name: "Model: Beta Mini" }).waitFor();
  },
  { usd: "10" },
);
