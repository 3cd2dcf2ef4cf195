import { expect, test } from "bun:test";
import { contactOf, securityTxt } from "./security-txt.ts";

test("security.txt has the required fields of RFC 9116, only one of each that may appear once", () => {
  const now = new Date("2026-11-21T23:00:00Z");
  const text = securityTxt("mailto:security@turnpike.example", "https://turnpike.example", now);
  expect(text).toBe(
    [
      "Contact: mailto:security@turnpike.example",
      "Expires: 2027-05-20T00:00:00Z",
      "Preferred-Languages: en",
      "Canonical: https://turnpike.example/.well-known/security.txt",
      "",
    ].join("\n"),
  );
});

test("it is always valid for months and for less than a year", () => {
  for (const at of ["2026-01-01T00:00:00Z", "2028-02-29T12:00:00Z", "2030-12-31T23:59:59Z"]) {
    const now = new Date(at);
    const expires = /^Expires: (.+)$/m.exec(
      securityTxt("mailto:a@b.example", "https://x", now),
    )?.[1];
    const days = (Date.parse(expires ?? "") - now.getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(150);
    expect(days).toBeLessThan(365);
  }
});

test("the contact is a URI: an address becomes mailto, a page stays a page", () => {
  const of = (SECURITY_CONTACT: string | undefined, SUPPORT_EMAIL = "") =>
    contactOf({ SECURITY_CONTACT, SUPPORT_EMAIL });
  expect(of("security@turnpike.example")).toBe("mailto:security@turnpike.example");
  expect(of("https://turnpike.example/report")).toBe("https://turnpike.example/report");
  expect(of("mailto:a@b.example")).toBe("mailto:a@b.example");
  expect(of(undefined, "help@turnpike.example")).toBe("mailto:help@turnpike.example");
  expect(of(undefined)).toBeUndefined();
});
