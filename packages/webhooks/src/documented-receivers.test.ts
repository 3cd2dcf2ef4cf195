// The receivers of docs/webhooks.md and of the console's page, as written there, accept what is genuine and refuse what is not.

import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId, type WebhookEventId } from "@turnpike/base";
import { webhookEventTypes } from "@turnpike/db";
import { freePort } from "@turnpike/testing";
import { signWebhook } from "./sign-webhook.ts";
import { makeSecret } from "./webhook-secret.ts";

setDefaultTimeout(180_000);

const root = join(import.meta.dir, "../../..");
const text = await Bun.file(join(root, "docs/webhooks.md")).text();
const page = await Bun.file(join(root, "apps/console/src/pages/docs/content/webhooks.md")).text();
const folder = mkdtempSync(join(tmpdir(), "turnpike-receivers-"));
const secret = makeSecret();
const running: Bun.Subprocess[] = [];

afterAll(async () => {
  for (const one of running) {
    one.kill();
    await one.exited;
  }
  rmSync(folder, { recursive: true, force: true });
});

function sampleOf(written: string, language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(written) ?? [];
  if (code === undefined) throw new Error(`there is no sample in ${language}`);
  return code;
}

/** Resolves with its address once it listens. */
async function start(command: readonly string[]): Promise<string> {
  const port = await freePort();
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
  const child = Bun.spawn([...command], { env, stdout: "ignore", stderr: "ignore" });
  running.push(child);
  const url = `http://127.0.0.1:${port}/`;
  while (child.exitCode === null) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answered) return url;
    await Bun.sleep(20);
  }
  throw new Error(`the receiver ended with ${child.exitCode}`);
}

async function send(
  url: string,
  { secrets = [secret], at = new Date(), change = "" } = {},
): Promise<number> {
  const body = '{"type":"key.created","data":{"name":"München"}}';
  const headers = { ...signWebhook(secrets, newId<WebhookEventId>(), body, at) };
  const { status } = await fetch(url, { method: "POST", headers, body: body + change });
  return status;
}

const python = Bun.which("python3");
const receivers = {
  ts() {
    const file = join(folder, "receiver.ts");
    const library = Bun.resolveSync("standardwebhooks", import.meta.dir);
    writeFileSync(
      file,
      sampleOf(text, "ts").replace('"standardwebhooks"', JSON.stringify(library)),
    );
    return start([process.execPath, file]);
  },
  python() {
    const file = join(folder, "receiver.py");
    writeFileSync(file, sampleOf(page, "python"));
    return start([python ?? "", file]);
  },
} as const;

if (python === null) console.log("the receiver in Python is skipped: there is no python3");
const languages = (["ts", "python"] as const).filter((one) => one === "ts" || python !== null);

describe.each(languages)("the receiver in %s", (language) => {
  test("accepts genuine messages, with one secret or two, and no others", async () => {
    const url = await receivers[language]();
    const tenMinutes = 600_000;
    expect(await send(url)).toBe(204);
    expect(await send(url, { secrets: [makeSecret(), secret] })).toBe(204);
    expect(await send(url, { secrets: [makeSecret()] })).toBe(400);
    expect(await send(url, { change: " " })).toBe(400);
    expect(await send(url, { at: new Date(Date.now() - tenMinutes) })).toBe(400);
    expect(await send(url, { at: new Date(Date.now() + tenMinutes) })).toBe(400);
  });
});

test("every kind of event is described", () => {
  for (const type of webhookEventTypes) expect(text).toContain(`\`${type}\``);
});
