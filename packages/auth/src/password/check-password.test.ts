import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { checkNewPassword } from "./check-password.ts";

function check(password: string, email = "ada.lopez@example.com"): string {
  const rules = { minChars: 12, email, productName: "Turnpike" };
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
  test("the longest password is accepted, a longer one is not", () => {
    const most = "zk4v7qw8m2x5tb9n".repeat(16);
    expect(check(most)).toBe("fine");
    expect(check(`${most}x`)).toBe("string_above_max_length");
  });
  test("a name of three letters adds nothing to a password, but one of two may be part of a word", () => {
    expect(check("ada1ada2ada3", "ada@example.com")).toBe("invalid_value");
    expect(check("jo1jo2jo3jo4", "jo@example.com")).toBe("fine");
  });
  test("what remains without names and common guesses needs five characters, four of them different", () => {
    expect(check("turnpike1234")).toBe("invalid_value");
    expect(check("turnpike1zk4v")).toBe("fine");
    expect(check("turnpikezkzkz")).toBe("invalid_value");
    expect(check("turnpikezkvzk")).toBe("invalid_value");
    expect(check("turnpikezkvw9")).toBe("fine");
    expect(check("turnpikezkvwz")).toBe("fine");
  });
  test("common first guesses are refused", () => {
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
