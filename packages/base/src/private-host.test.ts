// Names that only machines of one network or cluster resolve.
import { expect, test } from "bun:test";
import { isPrivateHost } from "./private-host.ts";

test.each([
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "redis.prod.svc.cluster.local",
  "api.corp",
  "wiki.home",
  "db.private",
  "host.localdomain",
  "metadata.google.internal",
  "vault.service.consul",
  "API.CORP",
  "api.corp.",
  "printer.lan",
])("the name of a cluster or of a company's network is private: %s", (host) => {
  expect(isPrivateHost(host)).toBe(true);
});

test.each(["example.com", "corp.example.com", "svc.io", "my-private.net", "default.dev"])(
  "a public name is not private: %s",
  (host) => {
    expect(isPrivateHost(host)).toBe(false);
  },
);
