import { expect, test } from "bun:test";
import { parseAddressRange } from "@turnpike/base";
import { parseClientAddress } from "./parse-client-address.ts";

const trusted = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"].flatMap(
  (text) => parseAddressRange(text) ?? [],
);

test.each([
  ["no proxy is trusted without being configured", "203.0.113.1", "198.51.100.1", "203.0.113.1"],
  ["the header of a trusted proxy is used", "127.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["only the part our proxies wrote", "10.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"],
  ["through several of our proxies", "10.0.0.1", "1.1.1.1, 198.51.100.1, 10.9.9.9", "198.51.100.1"],
  ["all of them our proxies: the first", "10.0.0.1", "10.1.1.1, 10.2.2.2", "10.1.1.1"],
  ["an invalid address ends the walk", "10.0.0.1", "198.51.100.1, unknown", "10.0.0.1"],
  ["a port is not part of an address", "10.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
  ["an IPv6 address in brackets", "fd00::1", "[2001:db8::1]:4711", "2001:db8:0:0:0:0:0:1"],
  ["an IPv4 peer on an IPv6 socket", "::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
])("%s", (_, peer, forwardedFor, expected) => {
  expect(parseClientAddress(peer, forwardedFor, trusted)).toBe(expected);
});

test("without a header the client is the peer", () => {
  expect(parseClientAddress("10.0.0.1", null, trusted)).toBe("10.0.0.1");
  expect(parseClientAddress("", "198.51.100.1", trusted)).toBe("");
});
