// Where a sign-in at a provider leads afterwards: to a page of ours, whatever a link says.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { callerAt } from "../open-test-auth.fixture.ts";
import { openTestProviders, type TestProviders } from "./open-test-providers.fixture.ts";
import { startAtProvider } from "./start-at-provider.ts";

let bed: TestProviders;

beforeAll(async () => {
  bed = await openTestProviders();
});
afterAll(() => bed.close());

async function nextOf(next: string): Promise<unknown> {
  await bed.sql`delete from provider_attempts`;
  const start = { provider: "acme", next };
  await startAtProvider(bed.db, bed.auth, callerAt("203.0.113.1"), start);
  const [attempt] = await bed.sql`select next from provider_attempts`;
  return attempt?.next;
}

test.each([
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/.//evil.example",
  "evil.example",
  "javascript:alert(1)",
  "/".padEnd(2_001, "x"),
])("%j leads to the first page instead", async (next) => {
  expect(await nextOf(next)).toBe("/");
});

test.each(["/keys", "/a/acme/keys?tab=1#top"])("%s is a page of ours", async (next) => {
  expect(await nextOf(next)).toBe(next);
});
