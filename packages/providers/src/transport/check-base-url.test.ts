import { expect, test } from "bun:test";
import { whyBaseUrlRefused } from "./check-base-url.ts";

const refused = (url: string, allowPrivate = false) =>
  whyBaseUrlRefused(url, { allowPrivate }) !== undefined;

test("public https addresses pass", () => {
  const addresses = [
    "https://api.openai.com/v1",
    "https://8.8.8.8/v1",
    "https://[2606:4700::1]:8443",
  ];
  for (const address of addresses) expect(refused(address)).toBe(false);
});

test("private, loopback and link-local hosts are refused in every spelling, unless allowed", () => {
  const hosts = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.1",
    "0",
    "10.0.0.1",
    "172.20.1.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "[::1]",
    "[::]",
    "[fd00::1]",
    "[fe80::1]",
    "0.0.0.0",
    "100.127.255.255",
    "[fdff::1]",
    "[febf::1]",
    "[fec0::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:10.0.0.1]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::7f00:1]",
    "[::ffff:0:7f00:1]",
    "[2001::1]",
    "localhost",
    "LOCALHOST.",
    "a.localhost",
    "db.internal",
    "printer.local",
    "ollama",
  ];
  for (const host of hosts) {
    expect([host, refused(`https://${host}/v1`)]).toEqual([host, true]);
    expect([host, refused(`http://${host}/v1`, true)]).toEqual([host, false]);
  }
});

test("an IPv4 address written as IPv6 is checked by all four of its bytes", () => {
  expect(refused("https://[::ffff:10.0.8.8]/v1")).toBe(true);
  expect(refused("https://[::ffff:8.8.10.1]/v1")).toBe(false);
  expect(refused("https://[::ffff:172.15.255.255]/v1")).toBe(false);
  expect(refused("https://[::ffff:172.31.0.1]/v1")).toBe(true);
});

test("a 6to4 address is checked by the IPv4 address in it", () => {
  for (const host of ["2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:ac1f:ffff::", "2002:6440:1::"]) {
    expect([host, refused(`https://[${host}]/v1`)]).toEqual([host, true]);
  }
  for (const host of ["2002:808:808::1", "2002:ac20:1::", "2002:6480:1::"]) {
    expect([host, refused(`https://[${host}]/v1`)]).toEqual([host, false]);
  }
});

test("plain http needs permission, other schemes and credentials are never accepted", () => {
  expect(refused("http://api.example.com/v1")).toBe(true);
  expect(refused("http://api.example.com/v1", true)).toBe(false);
  const never = [
    "ftp://a.example.com",
    "https://u:p@a.example.com",
    "file:///etc",
    "api.example.com",
  ];
  for (const address of [...never, "https://a.example.com/v1?x=1", "https://a.example.com/#x"]) {
    expect(refused(address, true)).toBe(true);
  }
});
