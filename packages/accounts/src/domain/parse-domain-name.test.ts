// Mail domains: one name for each, however it is written, and none for what only looks like another one.

import { expect, test } from "bun:test";
import { parseDomainName } from "./parse-domain-name.ts";

test.each([
  ["example.com", "example.com"],
  ["Mail.EXAMPLE.Com", "mail.example.com"],
  ["b.c", "b.c"],
  ["m\u00fcnchen.example", "xn--mnchen-3ya.example"],
  ["M\u00dcNCHEN.Example", "xn--mnchen-3ya.example"],
  ["XN--mnchen-3ya.example", "xn--mnchen-3ya.example"],
  ["stra\u00dfe.example", "xn--strae-oqa.example"],
  ["\u03a3\u0391\u03a3.example", "xn--mxa9ab.example"],
  ["\u65e5\u672c\u8a9e.jp", "xn--wgv71a119e.jp"],
  ["\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444", "xn--e1afmkfd.xn--p1ai"],
  ["\u0915\u094d\u200d\u0937.example", "xn--11b2ezcw70k.example"],
])("%s is %s", (given, stored) => {
  expect(parseDomainName(given)).toBe(stored);
  expect(parseDomainName(stored)).toBe(stored);
});

test.each([
  ["the Kelvin sign", "quac\u212a.com"],
  ["the long s", "\u017f.com"],
  ["a ligature", "o\ufb03ce.com"],
  ["letters of full width", "\uff41\uff42.com"],
  ["an ideographic full stop", "a\u3002com"],
  ["a superscript", "\u00b2\u00fc.com"],
  ["a double-struck letter", "\u2115\u00fc.com"],
  ["a capital I with a dot", "\u0130stanbul.com"],
  ["an accent apart from its letter", "mu\u0308nchen.example"],
  ["a soft hyphen", "a\u00adb.com"],
  ["a zero-width joiner between Latin letters", "a\u200db.com"],
  ["a variation selector", "\u00fc\ufe0f.com"],
  ["white space", " example.com"],
  ["white space beyond ASCII", "\u00fc.com\u00a0"],
  ["a slash", "example.com/"],
  ["a slash behind an international name", "\u00fc.example/"],
  ["an escape", "\u00fc%41.com"],
  ["a port", "\u00fc.com:80"],
  ["an underscore", "\u00fc_a.com"],
  ["an address in numbers", "1.2.3"],
  ["no dot", "\u00fc"],
  ["an empty label", "\u00fc..com"],
  ["a dot at the end", "\u00fc.com."],
  ["a hyphen at the end of a label", "a-.com"],
  ["a label of more than 63 characters", `${"a".repeat(64)}.com`],
  ["an international label of more than 63 characters", `${"\u00fc".repeat(60)}.example`],
  ["an encoding of nothing", "xn--zzzzzz.example"],
  ["an encoding that cannot be decoded", "xn--a.example"],
  // Punycode of `quac` and U+212A, which is itself converted to another name.
  ["an encoding of the Kelvin sign", "xn--quac-ye8a.example"],
  ["an encoding of plain letters", "xn--abc-.example"],
  ["more than 253 characters", `${"a.".repeat(126)}com`],
  ["more than 253 characters once converted", `${`${"\u00fc".repeat(57)}.`.repeat(4)}example`],
  ["a hundred thousand characters", "\u00fc".repeat(100_000)],
])("%s: no domain", (_, given) => {
  expect(parseDomainName(given)).toBeUndefined();
});
