import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { checkNewPassword } from "./check-password.ts";
import { openPasswordHasher } from "./password-hasher.ts";

function check(password: string): string {
  const rules = { minChars: 12, email: "ada.lopez@example.com", productName: "Turnpike" };
  try {
    checkNewPassword(password, { ...rules, param: "password" });
    return "fine";
  } catch (error) {
    return error instanceof Fault ? error.code : String(error);
  }
}

describe("checkNewPassword", () => {
  test("length decides, not kinds of characters", () => {
    expect(check("elevenchars")).toBe("string_below_min_length");
    expect(check("twelve chars")).toBe("fine");
    expect(check("x".repeat(257))).toBe("string_above_max_length");
    expect(check("correct horse battery staple")).toBe("fine");
  });
  test("a character counts once, however it is encoded", () => {
    expect(check("e\u0301".repeat(11))).toBe("string_below_min_length");
    expect(check("🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧")).toBe("fine");
  });
  test("what everybody tries first is refused", () => {
    for (const password of [
      "password1234",
      "PASSWORD12345!",
      "123456789012",
      "qwertyuiop12",
      "aaaaaaaaaaaaaaaa",
      "abababababababab",
      "turnpike2026",
      "Turnpike Turnpike 1",
      "ada.lopez@example.com",
      "ada.lopez1234",
      "letmeinletmein",
    ]) {
      expect(`${password} ${check(password)}`).toBe(`${password} invalid_value`);
    }
  });
});

describe("openPasswordHasher", () => {
  test("knows the right password, and without a hash says wrong", async () => {
    const hasher = openPasswordHasher();
    const hash = await hasher.hash("correct horse battery staple");
    const right = await hasher.verify("correct horse battery staple", hash);
    expect(right).toEqual({ right: true, outdated: false });
    expect((await hasher.verify("incorrect horse", hash)).right).toBe(false);
    expect((await hasher.verify("correct horse battery staple", null)).right).toBe(false);
  });

  test("beyond its queue it refuses at once, and everybody queued is served", async () => {
    const hasher = openPasswordHasher({ concurrency: 2, queueMax: 3, waitMs: 20_000 });
    const results = await Promise.allSettled(
      Array.from({ length: 9 }, () => hasher.hash("correct horse battery staple")),
    );
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(4);
    expect(refused.every(({ reason }) => reason instanceof Fault)).toBe(true);
    expect(await hasher.hash("and later it works again")).toStartWith("$argon2id$");
  });

  test("who waits too long is refused, and the place is not lost", async () => {
    const hasher = openPasswordHasher({ concurrency: 1, queueMax: 9, waitMs: 0 });
    const results = await Promise.allSettled([hasher.hash("one long one"), hasher.hash("another")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(await hasher.hash("and later it works again")).toStartWith("$argon2id$");
  });
});
