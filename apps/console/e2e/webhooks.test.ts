// Webhooks in a browser: an endpoint is added, gets what happens in the account, and shows what it answered.
import { expect } from "bun:test";
import { createHmac } from "node:crypto";
import { type ReceivedWebhook, startWebhookReceiver } from "@turnpike/testing";
import type { Page } from "playwright-core";
import { memberTest } from "./browser-test.fixture.ts";
import { askUntilShown } from "./pass-time.fixture.ts";
import { readTable } from "./read-page.fixture.ts";

const deliveries = (page: Page) => page.getByRole("table", { name: /^Deliveries/ });

/** The page asks again for deliveries. */
const askAgainMs = 5_000;

async function choose(page: Page, url: string, item: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${url}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** Reads the secret that a dialog shows, and closes it. */
async function readSecret(page: Page): Promise<string> {
  const field = page.getByLabel("Secret", { exact: true });
  const secret = await field.inputValue();
  await page.getByRole("button", { name: "Done" }).click();
  await field.waitFor({ state: "detached" });
  return secret;
}

/** Computed by hand, as a receiver without a library would. */
function signatureOf(secret: string, { headers, body }: ReceivedWebhook): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

memberTest(
  "HOOK-1 an endpoint is added, gets a signed event, and its delivery is listed and sent again",
  async ({ page, goTo, installClock, member }) => {
    await using receiver = startWebhookReceiver();
    receiver.answers.push(() => new Response("not today", { status: 500 }));
    await installClock();
    await goTo("/settings/webhooks");
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await page.getByLabel("URL").fill(receiver.url);
    await page.getByText("Only these").click();
    await page.getByLabel("key.created").check();
    await page.getByRole("dialog").getByRole("button", { name: "Add endpoint" }).click();
    const secret = await readSecret(page);
    expect(secret).toStartWith("whsec_");

    const { id } = await member.createKey("for production");
    await receiver.waitFor(1);
    const [first] = receiver.received;
    if (first === undefined) throw new Error("nothing was received");
    expect(JSON.parse(first.body)).toMatchObject({
      type: "key.created",
      data: { key: { id, name: "for production" }, by: { kind: "person", name: member.email } },
    });
    expect(first.headers["webhook-signature"]).toBe(signatureOf(secret, first));
    await askUntilShown(page, askAgainMs, deliveries(page).getByText("Answered 500."));

    await deliveries(page).getByRole("button", { name: "Send again" }).click();
    await askUntilShown(page, askAgainMs, deliveries(page).getByText("Accepted").first());
    const again = receiver.received.at(-1);
    expect(again?.headers["webhook-id"]).toBe(first.headers["webhook-id"] ?? "");
    const rows = await readTable(deliveries(page));
    expect(rows.map((row) => row.Event)).toEqual(["key.created", "key.created"]);

    await deliveries(page).getByRole("button", { name: "key.created" }).last().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("not today").waitFor();
    await dialog.getByText('"name": "for production"').waitFor();
  },
);

memberTest(
  "HOOK-2 a secret is rotated with an overlap, and an endpoint is disabled and deleted",
  async ({ page, goTo, member }) => {
    await using receiver = startWebhookReceiver();
    await goTo("/settings/webhooks");
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await page.getByLabel("URL").fill(receiver.url);
    await page.getByRole("dialog").getByRole("button", { name: "Add endpoint" }).click();
    const old = await readSecret(page);

    await choose(page, receiver.url, "Rotate secret");
    await page.getByText("1 day").click();
    await page.getByRole("button", { name: "Rotate secret" }).click();
    const current = await readSecret(page);
    expect(current).not.toBe(old);
    await page.getByText("Two secrets count until").waitFor();
    await choose(page, receiver.url, "Send test event");
    await receiver.waitFor(1);
    const [test] = receiver.received;
    if (test === undefined) throw new Error("nothing was received");
    const both = [current, old].map((secret) => signatureOf(secret, test));
    expect(test.headers["webhook-signature"]?.split(" ")).toEqual(both);

    await choose(page, receiver.url, "Show secret");
    expect(await readSecret(page)).toBe(current);
    await choose(page, receiver.url, "Disable");
    await page.getByText("Disabled", { exact: true }).waitFor();
    await member.createKey("unheard");
    await choose(page, receiver.url, "Enable");
    await page.getByText("Enabled", { exact: true }).waitFor();
    expect(receiver.received).toHaveLength(1);
    await choose(page, receiver.url, "Delete");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No endpoint yet.").waitFor();
  },
);
