// What each role in an organization sees, in an empty one and in one with a history: every page has a heading and says
// something, or that the role does not include it; and nothing is offered that the role may not do. The roles' permissions
// are the server's, the pages those of the router's list. The pictures are in `.artifacts/roles/`.
import { beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { askChat } from "./ask-gateway.fixture.ts";
import { artifacts, inBrowser, memberTest, signInBrowser } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { type Environment, useEnvironment } from "./environment.fixture.ts";
import { accept, joinOrganization, openOrganization } from "./join-organization.fixture.ts";
import { type BegunAction, readPageActions, readRoutedPages } from "./read-routes.fixture.ts";
import { memberRoutes } from "./routes.fixture.ts";

/** The pages that a role does not have; `docs/permissions.md` says why. */
const withheld = {
  developer: ["wallet", "notifications", "audit-log", "webhooks"],
  viewer: [
    "playground",
    "draw-images",
    "speech",
    "transcription",
    "files",
    "management-keys",
    "audit-log",
    "webhooks",
  ],
  billing: [
    "playground",
    "draw-images",
    "speech",
    "transcription",
    "files",
    "logs",
    "audit-log",
    "webhooks",
  ],
} as const;

const pictures = join(artifacts, "roles");
const states = ["empty", "loaded"] as const;
const routed = readRoutedPages();
const actions = readPageActions();
const routes = [
  ...memberRoutes(),
  { name: "settings-organization", path: "/settings/organization" },
  { name: "model", path: `/models/${models.large}` },
  { name: "docs", path: "/docs" },
];

type Organization = Awaited<ReturnType<typeof openOrganization>>;

let organizations: Readonly<Record<(typeof states)[number], Organization>>;

beforeAll(async () => {
  const environment = useEnvironment();
  const [empty, loaded] = await Promise.all([
    openOrganization(environment, "Empty"),
    openOrganization(environment, "Loaded"),
  ]);
  await fill(environment, loaded);
  organizations = { empty, loaded };
  mkdirSync(pictures, { recursive: true });
}, 600_000);

/** Money, a key with requests that were answered and one that was not, and a budget. */
async function fill(environment: Environment, { owner }: Organization): Promise<void> {
  await owner.addFunds("25");
  const { key } = await owner.createKey("production");
  for (const model of [models.large, models.mini, "northwind/no-such-model"]) {
    await askChat(environment, key, { model, content: "Hello!" });
  }
  await owner.mutate("projects.create", { name: "Research" });
}

type Walked = { readonly withheld: string[]; readonly wrong: string[] };

/** What a page of the role shows that it should not, in words. */
async function readPage(page: Page, permissions: Permissions): Promise<readonly string[]> {
  const seen = await page.evaluate(() => {
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !(element instanceof HTMLButtonElement && element.disabled);
    const base = /^\/a\/[\w-]+/;
    const main = document.querySelector("main");
    const all = [...(main?.querySelectorAll("a, button") ?? [])].filter(isShown);
    return {
      heading: document.querySelector("h1")?.textContent ?? "",
      // biome-ignore lint/performance/useDomNodeTextContent: what is not drawn says nothing
      text: main?.innerText.trim() ?? "",
      names: all.map((one) => (one.getAttribute("aria-label") ?? one.textContent ?? "").trim()),
      links: all.flatMap((one) =>
        one instanceof HTMLAnchorElement && one.origin === location.origin
          ? [
              {
                path: one.pathname.replace(base, "") || "/",
                asks: new URL(one.href).searchParams.get("do"),
              },
            ]
          : [],
      ),
    };
  });
  const wrong: string[] = [];
  if (seen.heading.trim() === "") wrong.push("has no heading");
  if (seen.text.length < 20) wrong.push(`says only "${seen.text}"`);
  // The text of the docs is the same for every role, and names every page.
  const links = new URL(page.url()).pathname.endsWith("/docs") ? [] : seen.links;
  for (const { path, asks } of links) {
    const needs = routed.find((one) => one.matches(path))?.needs;
    if (needs !== undefined && !permissions[needs]) wrong.push(`leads to ${path}`);
    const action = actions.find(({ id }) => id === asks);
    if (action && isRefused(action, permissions)) wrong.push(`leads to ${action.id}`);
  }
  for (const action of actions) {
    const offered = seen.names.find((name) => action.names.includes(name));
    if (offered !== undefined && isRefused(action, permissions)) wrong.push(`offers "${offered}"`);
  }
  return wrong;
}

type Permissions = Readonly<Record<string, string | undefined>>;

function isRefused({ needs }: BegunAction, permissions: Permissions): boolean {
  return needs !== undefined && permissions[needs] === undefined;
}

for (const role of ["developer", "viewer", "billing"] as const) {
  for (const state of states) {
    test(`NAV-3 the ${role} role, ${state}: each page says something, and offers what may be done`, async () => {
      const environment = useEnvironment();
      const { base, invite } = organizations[state];
      const member = await invite(role);
      const me = await member.query("auth.me");
      const { permissions } = me.account as { readonly permissions: Permissions };
      await inBrowser(environment, `${role} ${state}`, undefined, async (opened) => {
        const { page, follow } = opened;
        await signInBrowser(opened, member);
        await opened.visit(base);
        const walked: Walked = { withheld: [], wrong: [] };
        let path = "";
        page.on("response", async (response) => {
          if (response.status() !== 403 || !response.url().includes("/trpc/")) return;
          walked.wrong.push(
            `${path}: asked for ${new URL(response.url()).pathname}, and was refused`,
          );
        });
        for (const route of routes) {
          path = route.path;
          await follow(`${base}${path === "/" ? "" : path}`);
          await page.getByRole("heading", { level: 1 }).first().waitFor();
          const name = route.name.replace("settings-", "");
          if ((await page.getByText("does not include this page.").count()) > 0) {
            walked.withheld.push(name);
          }
          walked.wrong.push(
            ...(await readPage(page, permissions)).map((what) => `${path} ${what}`),
          );
          await page.screenshot({ path: join(pictures, `${role}-${state}-${name}.png`) });
        }
        expect(walked).toEqual({ withheld: [...withheld[role]], wrong: [] });
      });
    }, 600_000);
  }
}

const paths = routes.map(({ path }) => path.replace(/[?#].*/, ""));

/** Those of one key or one payment are opened by `every-page.test.ts`; `/settings` leads to its first section. */
test("NAV-3 the walk opens every page that the router lists", () => {
  const missing = routed.filter((one) => !paths.some(one.matches)).map(({ path }) => path);
  expect(missing).toEqual(["/keys/:id", "/wallet/top-ups/:id", "/settings"]);
});

memberTest(
  "TEA-2 a viewer cannot create a key, neither in the console nor by the API",
  async (one) => {
    const organization = await joinOrganization(one, "viewer");
    await accept(one, organization, async ({ page, visit }) => {
      await visit(`${organization.base}/keys?do=create-key`);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      expect(await page.getByRole("button", { name: /create (api )?key/i }).count()).toBe(0);
      expect(await page.getByRole("dialog").count()).toBe(0);
      const answer = await page.evaluate(async (slug) => {
        const response = await fetch("/trpc/keys.create?batch=1", {
          method: "POST",
          headers: { "content-type": "application/json", "x-turnpike-account": slug },
          body: JSON.stringify({ 0: { name: "forbidden" } }),
        });
        return { status: response.status, text: await response.text() };
      }, organization.base.slice("/a/".length));
      expect(answer.status).toBe(403);
      expect(answer.text).toContain("permission_denied");
    });
  },
);
