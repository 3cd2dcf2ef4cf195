import { expect, test } from "bun:test";
import { Route, Router } from "@solidjs/router";
import { render } from "@solidjs/testing-library";
import { createSignal } from "solid-js";
import { decodeEntities } from "../../lib/markdown/decode-entities.ts";
import { ownHref, safeHref } from "../../lib/markdown/safe-href.ts";
import { Markdown } from "./markdown.tsx";

function draw(text: string): HTMLElement {
  return render(() => (
    <Router>
      <Route path="*" component={() => <Markdown text={text} />} />
    </Router>
  )).container;
}

test("HTML in a text stays text: no element, no handler, nothing runs", () => {
  const page = draw(
    '<img src=x onerror="window.hit=1">\n\nhello <b onclick="hit()">you</b> <script>hit()</script>\n\n<svg/onload=hit()>',
  );
  expect(page.querySelector("img, script, svg[onload], b")).toBeNull();
  expect(page.textContent).toContain('<img src=x onerror="window.hit=1">');
  expect(page.textContent).toContain("<script>hit()</script>");
});

test("links lead only to http, https and mailto, in a tab without an opener", () => {
  const page = draw(
    [
      "[a](javascript:alert(1))",
      "[b](JaVaScRiPt:alert(1))",
      "[c](java&#x09;script:alert(1))",
      "[d](data:text/html,x)",
      "[e](vbscript:x)",
      "[f](/wallet)",
      "[g](//evil.example)",
      "[h](https://example.com/x)",
      "[i](mailto:a@b.example)",
      "<https://auto.example>",
    ].join(" · "),
  );
  const links = [...page.querySelectorAll("a")];
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    "https://example.com/x",
    "mailto:a@b.example",
    "https://auto.example/",
  ]);
  for (const link of links) expect(link.rel).toContain("noopener");
  expect(page.textContent).toContain("a · b · c · d · e · f · g · h");
});

test("images are not fetched: they become links", () => {
  const page = draw("![a cat](https://example.com/cat.png) ![bad](javascript:x)");
  expect(page.querySelector("img")).toBeNull();
  expect(page.querySelector("a")?.textContent).toBe("a cat");
  expect(page.querySelectorAll("a")).toHaveLength(1);
});

test("lists, tables, code and nested emphasis become elements, without a second h1", () => {
  const page = draw(
    "# Title\n\n1. one **bold `x&y`**\n2. two\n\n| a | b |\n|---|--:|\n| 1 | *2* |\n\n```python\nprint(1)\n```\n\nA &amp; B \\* &#39;c&#39;",
  );
  expect(page.querySelector("h1")).toBeNull();
  expect(page.querySelector("h3")?.textContent).toBe("Title");
  expect([...page.querySelectorAll("ol > li")].map((item) => item.textContent)).toEqual([
    "one bold x&y",
    "two",
  ]);
  expect(page.querySelector("strong code")?.textContent).toBe("x&y");
  expect(page.querySelector("td em")?.textContent).toBe("2");
  expect(page.querySelector("pre")?.textContent).toBe("print(1)");
  expect(page.textContent).toContain("A & B * 'c'");
});

test("while a text arrives, finished blocks keep their elements", () => {
  const [text, setText] = createSignal("```js\nlet a = 1\n```\n\nThe an");
  const { container } = render(() => (
    <Router>
      <Route path="*" component={() => <Markdown text={text()} />} />
    </Router>
  ));
  const code = container.querySelector("pre");
  setText(`${text()}swer is **42**.`);
  expect(container.querySelector("pre")).toBe(code);
  expect(container.querySelector("p")?.textContent).toBe("The answer is 42.");
});

test("an unclosed fence is already code", () => {
  const page = draw("Look:\n\n```js\nlet a = ");
  expect(page.querySelector("pre")?.textContent).toBe("let a = ");
});

test("addresses are checked as the browser parses them", () => {
  expect(safeHref(" java\nscript:alert(1)")).toBeUndefined();
  expect(safeHref("HTTPS://EXAMPLE.com")).toBe("https://example.com/");
  expect([ownHref("/models"), ownHref("#prices")]).toEqual(["/models", "#prices"]);
  expect([ownHref("//evil.example"), ownHref("/\\evil.example")]).toEqual([undefined, undefined]);
});

test("character references become characters, and unknown ones stay", () => {
  expect(decodeEntities("&lt;a&gt; &#x1F600; &#0; &nope; &constructor;")).toBe(
    "<a> 😀 &#0; &nope; &constructor;",
  );
});
