// Statements of the console are compared with the code or the document that decides whether they are true.
import { expect, test } from "bun:test";
import { listFiles, readSource } from "./tidy/read-sources.ts";

const textOf = (path: string) => readSource(path).text;
const content = "apps/console/src/pages/docs/content";

test("what streaming.md says of a closed connection is what bills the call", () => {
  // A call that is not billed as delivered runs on when its client leaves.
  expect(textOf("packages/gateway/src/ending/bill-ending.ts")).toContain(
    "It is cut when its client disconnects, at its status line at the earliest; every other call runs to its end.",
  );
  for (const page of ["streaming", "aborted-requests"]) {
    const text = textOf(`${content}/${page}.md`);
    expect(text).toContain("Everything else continues to its end without you");
  }
  expect(textOf(`${content}/streaming.md`)).not.toContain("stopped immediately");
});

test("Logs says what is stored, and for how long", () => {
  const hours = (path: string, pattern: RegExp, perHour: number) =>
    Number(pattern.exec(textOf(path))?.[1]?.replaceAll("_", "")) / perHour;
  const answers = "apps/server/src/answers";
  const items = hours(`${answers}/item-store.ts`, /^const keepSeconds = ([\d_]+);/m, 3_600);
  const repeated = hours(`${answers}/idempotent-calls.ts`, /^const keepMs = ([\d_]+);/m, 3_600_000);
  expect(repeated).toBe(items);
  const sheet = textOf("apps/console/src/pages/logs/log-sheet.tsx").replace(/\s+/g, " ");
  expect(sheet).toContain(
    `Items of /v1/responses and answers to requests with an Idempotency-Key are stored for ${items} hours.`,
  );
});

test("every command of package.json that is not for production installs what it needs", () => {
  const commands = listFiles("scripts/*/run.ts").filter((path) => path !== "scripts/start/run.ts");
  expect(commands.length).toBeGreaterThan(5);
  const without = commands.filter((path) => !textOf(path).includes("await installDependencies()"));
  expect(without).toEqual([]);
});

test("the console's document paints a frame without its scripts, and the console replaces it", () => {
  const [, painted = ""] =
    /<div id="root">([\s\S]*)<\/div>\s*<noscript>/.exec(textOf("apps/console/index.html")) ?? [];
  expect(painted).toContain("class=");
  // The content security policy allows no inline style.
  expect(painted).not.toMatch(/style=|<script/);
  expect(textOf("apps/console/src/main.tsx")).toMatch(/replaceChildren\(\);\s*render\(/);
});
