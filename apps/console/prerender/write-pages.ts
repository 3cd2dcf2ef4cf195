// Draws the public pages that are the same in every installation, so that they can be read before, or without, the
// console's scripts: `bun write-pages.ts COMPILED DIST`. COMPILED is the folder of the compiled `mount-app.tsx`.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { GlobalRegistrator } from "@happy-dom/global-registrator";
import { docs } from "../src/lib/docs/doc-list.ts";
import { answerAsVisitor } from "./answer-as-visitor.ts";
import { describePage } from "./describe-page.ts";

type Compiled = { readonly mountApp: (root: HTMLElement) => () => void };

const [compiled = "", dist = ""] = process.argv.slice(2);
const readyWithinMs = 20_000;

GlobalRegistrator.register({ url: "http://localhost/", width: 1280, height: 800 });
globalThis.fetch = Object.assign(answerAsVisitor, { preconnect: () => undefined });
const { mountApp }: Compiled = await import(join(compiled, "mount-app.js"));
const template = readFileSync(join(dist, "index.html"), "utf8");

/** `drawn` matches once the build has everything; `until` once the browser has, where parts are drawn one after another. */
const pages = [
  { path: "/", drawn: "#first-request", until: "main:not(:has([data-waiting])) footer" },
  ...docs.map(({ href }) => ({ path: href, drawn: "main article p", until: "main article p" })),
];
for (const page of pages) {
  const file = join(dist, `prerendered${page.path === "/" ? "/index" : page.path}.html`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await draw(page));
}
console.log(`${pages.length} pages are drawn`);
process.exit(0);

async function draw({ path, drawn, until }: (typeof pages)[number]): Promise<string> {
  history.replaceState(null, "", path);
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  const remove = mountApp(root);
  await appearance(root, drawn);
  // What differs by installation and cannot be filled in as a word.
  for (const live of root.querySelectorAll("[data-live]")) live.remove();
  // Set from code there; as markup the content security policy would refuse them.
  for (const styled of root.querySelectorAll("[style]")) styled.removeAttribute("style");
  const head = describePage(root, path);
  const view = `<div id="first-view" data-until="${until}, main [role=alert]">${root.innerHTML}</div>`;
  remove();
  return template
    .replace(/<title>.*<\/title>/, () => head)
    .replace(/<meta name="description"[^>]*>/, "")
    .replace(
      /<div id="root">[\s\S]*<noscript>.*<\/noscript>/,
      () => `${view}<div id="root" hidden></div>`,
    );
}

function appearance(root: HTMLElement, selector: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = () => reject(new Error(`${location.pathname} has no ${selector}`));
    const timer = setTimeout(failed, readyWithinMs);
    const look = () => {
      if (root.querySelector(selector) === null) return;
      observer.disconnect();
      clearTimeout(timer);
      resolve();
    };
    const observer = new MutationObserver(look);
    observer.observe(root, { childList: true, subtree: true });
    look();
  });
}
