import { describe, expect, test } from "bun:test";
import {
  countAddresses,
  isInRanges,
  networkText,
  normalizeAddress,
  parseAddressRange,
} from "./address-range.ts";

function ranges(...texts: string[]) {
  return texts.flatMap((text) => parseAddressRange(text) ?? []);
}

describe("isInRanges", () => {
  test("a range contains its first and last address and not their neighbors", () => {
    const list = ranges("10.1.0.0/16");
    expect(isInRanges("10.1.0.0", list)).toBe(true);
    expect(isInRanges("10.1.255.255", list)).toBe(true);
    expect(isInRanges("10.0.255.255", list)).toBe(false);
    expect(isInRanges("10.2.0.0", list)).toBe(false);
  });
  test("both spellings of an IPv4 address are one address", () => {
    expect(isInRanges("::ffff:10.1.2.3", ranges("10.0.0.0/8"))).toBe(true);
    expect(isInRanges("10.1.2.3", ranges("::ffff:10.1.2.3"))).toBe(true);
    expect(normalizeAddress("::ffff:a01:203")).toBe("10.1.2.3");
  });
  test("every IPv4 address is in 0.0.0.0/0 and no IPv6 address is", () => {
    expect(isInRanges("255.255.255.255", ranges("0.0.0.0/0"))).toBe(true);
    expect(isInRanges("2001:db8::1", ranges("0.0.0.0/0"))).toBe(false);
  });
  test("IPv6 ranges are read however the zeros are written", () => {
    const list = ranges("2001:db8::/32");
    expect(isInRanges("2001:0db8:0:0:0:0:0:1", list)).toBe(true);
    expect(isInRanges("2001:db9::", list)).toBe(false);
  });
  test("IPv4 at the end of another prefix than ::ffff: is not the IPv4 address", () => {
    expect(isInRanges("::1.2.3.4", ranges("1.2.3.4"))).toBe(false);
    expect(isInRanges("64:ff9b::1.2.3.4", ranges("1.2.3.4"))).toBe(false);
    expect(normalizeAddress("::1.2.3.4")).toBe("0:0:0:0:0:0:102:304");
    expect(normalizeAddress("::ffff:1.2.3.04")).toBeUndefined();
  });
  test("text that is not an address is in no range", () => {
    for (const text of [
      "",
      "localhost",
      "1.2.3",
      "1.2.3.256",
      "1.2.3.04",
      "::1::",
      "1:2:3:4:5:6:7",
    ]) {
      expect(isInRanges(text, ranges("0.0.0.0/0", "::/0"))).toBe(false);
    }
  });
});

test("text that is not a range is refused", () => {
  for (const text of ["10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/8/8", "a/8", "10.0.0.0/-1"]) {
    expect(parseAddressRange(text)).toBeUndefined();
  }
});

test("neighboring addresses share a network", () => {
  expect(networkText("203.0.113.7", 24, 48)).toBe("203.0.113.0");
  expect(networkText("2001:db8:1:2::9", 24, 64)).toBe("2001:db8:1:2:0:0:0:0");
  expect(networkText("203.0.113.7", 32, 64)).toBe("203.0.113.7");
  expect(networkText("", 24, 48)).toBe("");
});

describe("countAddresses", () => {
  test("counts overlapping addresses once, IPv4 and IPv6 separately", () => {
    expect(countAddresses(ranges("10.0.0.0/8", "10.1.0.0/16", "203.0.113.7"))).toEqual({
      v4: 2n ** 24n + 1n,
      v6: 0n,
    });
    expect(countAddresses(ranges("2001:db8::/32", "2001:db8::1"))).toEqual({
      v4: 0n,
      v6: 2n ** 96n,
    });
    expect(countAddresses([])).toEqual({ v4: 0n, v6: 0n });
  });
  test("two halves add up to the whole, and an IPv6 range can contain all of IPv4", () => {
    expect(countAddresses(ranges("128.0.0.0/1", "0.0.0.0/1")).v4).toBe(2n ** 32n);
    expect(countAddresses(ranges("::ffff:0:0/96"))).toEqual({ v4: 2n ** 32n, v6: 0n });
    expect(countAddresses(ranges("::/0"))).toEqual({ v4: 2n ** 32n, v6: 2n ** 128n - 2n ** 32n });
  });
});
