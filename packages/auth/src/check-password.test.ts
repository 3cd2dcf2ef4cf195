import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { checkNewPassword } from "./check-password.ts";

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
