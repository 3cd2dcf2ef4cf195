import { expect, test } from "bun:test";
import { loginHref, safeNext } from "./safe-next.ts";

const origin = "https://turnpike.example";

test("AUT-6 a next outside this console is ignored", () => {
  const evil = [
    "//evil.example",
    "//evil.example/keys",
    "/\\evil.example/keys",
    "///evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "/%2f%2fevil.example/../..//evil.example",
    "evil.example",
    "",
  ];
  for (const next of evil) expect([next, safeNext(next, origin)]).toEqual([next, "/"]);
  expect(safeNext(undefined, origin)).toBe("/");
});

test("a next that is a page keeps its query; any other leads home", () => {
  expect(safeNext("/logs?status=5xx#top", origin)).toBe("/logs?status=5xx#top");
  for (const next of ["/login?next=/login", "/trpc/auth.logout", "/v1/models", "/dev/checkout/1"]) {
    expect(safeNext(next, origin)).toBe("/");
  }
});

test("the link to the sign-in page remembers the current page", () => {
  expect(loginHref("/keys?status=active")).toBe("/login?next=%2Fkeys%3Fstatus%3Dactive");
  expect(loginHref("/")).toBe("/login");
});
