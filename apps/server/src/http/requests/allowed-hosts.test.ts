import { expect, test } from "bun:test";
import { createHostCheck } from "./allowed-hosts.ts";

const settings = {
  PUBLIC_URL: "https://turnpike.example",
  HOST: "0.0.0.0",
  allowedHosts: ["api.internal", "10.0.0.5:3000"],
};
const production = createHostCheck({ ...settings, NODE_ENV: "production" });
const development = createHostCheck({ ...settings, NODE_ENV: "development", HOST: "192.168.1.5" });

test.each([
  ["turnpike.example", true, true],
  ["turnpike.example:8443", true, true],
  ["api.internal:3000", true, true],
  ["10.0.0.5:3000", true, true],
  ["10.0.0.5", false, false],
  ["localhost:3000", false, true],
  ["127.0.0.1:3000", false, true],
  ["127.1.2.3", false, true],
  ["[::1]:3000", false, true],
  ["192.168.1.5:3000", false, true],
  ["0.0.0.0:3000", false, false],
  ["127.0.0.1.evil.example", false, false],
  ["127.evil.example", false, false],
  ["localhost.evil.example", false, false],
  ["localhost.", false, false],
  ["evil.turnpike.example", false, false],
  ["turnpike.example.evil.example", false, false],
  ["a", false, false],
])("the host %s is allowed in production: %p, in development: %p", (host, there, here) => {
  const url = new URL(`http://${host}/`);
  expect([production.isAllowed(url), development.isAllowed(url)]).toEqual([there, here]);
});
