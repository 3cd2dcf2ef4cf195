// Addresses: one stored form for each, and no character beyond ASCII that becomes another address.

import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { normalizeEmail, parseEmail } from "./parse-email.ts";

test.each([
  ["quack@example.com", "quack@example.com"],
  [" \t\r\nQuack@Example.COM\f ", "quack@example.com"],
  ["O'Neil+a.b_{x}~!#$%&*/=?^`|-@example.com", "o'neil+a.b_{x}~!#$%&*/=?^`|-@example.com"],
  ["user@m\u00fcnchen.example", "user@xn--mnchen-3ya.example"],
  ["User@M\u00dcNCHEN.example", "user@xn--mnchen-3ya.example"],
  ["user@XN--MNCHEN-3YA.example", "user@xn--mnchen-3ya.example"],
])("%j is stored as %s", (given, stored) => {
  expect(parseEmail(given)).toBe(stored);
  expect(parseEmail(stored)).toBe(stored);
});

describe("refused", () => {
  test.each([
    ["the Kelvin sign", "quac\u212a@example.com", "before the @"],
    ["the long s", "\u017fusan@example.com", "before the @"],
    ["letters of full width", "\uff51uack@example.com", "before the @"],
    ["a letter with an accent", "j\u00fcrgen@example.com", "before the @"],
    ["white space beyond ASCII", "\u00a0quack@example.com", "before the @"],
    ["a byte order mark", "\ufeffquack@example.com", "before the @"],
    ["the Kelvin sign in the domain", "a@quac\u212a.com", "domain of this email address"],
    ["the long s in the domain", "a@\u017f.com", "domain of this email address"],
    ["letters of full width in the domain", "a@\uff45xample.com", "domain of this email address"],
    ["an @ of full width", "quack\uff20example.com", "before the @"],
    ["white space at the end beyond ASCII", "a@example.com\u3000", "domain of this email address"],
    ["no @", "example.com", "not an email address"],
    ["two @", "a@b@example.com", "not an email address"],
    ["white space inside", "qu ack@example.com", "not an email address"],
    ["a domain without a dot", "a@localhost", "not an email address"],
    ["a domain behind a slash", "a@example.com/x", "not an email address"],
    ["nothing", "", "not an email address"],
  ])("%s", (_, given, message) => {
    const fault = refusalOf(given);
    expect([fault?.code, fault?.details.param]).toEqual(["invalid_value", "newEmail"]);
    expect(fault?.message).toContain(message);
  });
});

test("the local part has at most 64 characters, and the stored address 254", () => {
  const label = "b".repeat(61);
  const addressOf = (chars: number) => {
    const domain = `${label}.${label}.${label}.com`;
    return `${"a".repeat(chars - domain.length - 1)}@${domain}`;
  };
  expect(addressOf(254)).toHaveLength(254);
  expect(parseEmail(addressOf(254))).toBe(addressOf(254));
  expect(() => parseEmail(addressOf(255))).toThrow("That is not an email address.");
  expect(parseEmail(`${"a".repeat(64)}@b.example`)).toHaveLength(74);
  expect(() => parseEmail(`${"a".repeat(65)}@b.example`)).toThrow("not an email address");
  // 40 characters here are 57 of the stored form.
  const international = `${"a".repeat(64)}@${`${"\u00fc".repeat(40)}.`.repeat(4)}example`;
  expect(international.length).toBeLessThan(254);
  expect(() => parseEmail(international)).toThrow("domain of this email address");
});

test("white space around a text is stripped for people alone", () => {
  expect(normalizeEmail("quack@example.com")).toBe("quack@example.com");
  expect(normalizeEmail("quack@example.com ")).toBeUndefined();
});

/** All that UTF-16 can contain, halves of pairs too. */
function* beyondAscii(): Generator<string> {
  for (let code = 0x80; code <= 0x10ffff; code += 1) yield String.fromCodePoint(code);
}

test("no character beyond ASCII is accepted in the local part", () => {
  for (const char of beyondAscii()) {
    for (const local of [`quac${char}`, `${char}uack`]) {
      if (normalizeEmail(`${local}@example.com`) !== undefined)
        throw new Error(JSON.stringify(local));
    }
  }
});

test("a character beyond ASCII in the domain is refused, or its label is encoded", () => {
  let accepted = 0;
  for (const char of beyondAscii()) {
    const email = normalizeEmail(`user@quac${char}.example`);
    if (email === undefined) continue;
    accepted += 1;
    if (!/^user@xn--[a-z0-9-]+\.example$/.test(email)) throw new Error(`${char}: ${email}`);
  }
  expect(accepted).toBeGreaterThan(100_000);
});

function refusalOf(text: string): Fault | undefined {
  try {
    parseEmail(text, "newEmail");
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
