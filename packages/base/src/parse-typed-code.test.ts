// Codes of authenticator apps and recovery codes, as they are typed and pasted.
import { expect, test } from "bun:test";
import { parseTypedCode } from "./parse-typed-code.ts";

test.each([
  "123456",
  "123-456",
  "123 456",
  " 123\u00a0456\n",
  "123\u2013456",
  "123\u2212456",
  "\uff11\uff12\uff13\uff14\uff15\uff16",
  "\uff11\uff12\uff13\u3000\uff14\uff15\uff16",
  "\uff11\uff12\uff13\uff0d\uff14\uff15\uff16",
])("%j is 123456", (typed) => {
  expect(parseTypedCode(typed)).toBe("123456");
});

test("letters of full width are those they look like, and no others change", () => {
  expect(parseTypedCode("\uff41\uff42\uff43\uff44-EFGH \uff0d ijkl")).toBe("abcdEFGHijkl");
  expect(parseTypedCode("\u212a\u0661\u2460")).toBe("\u212a\u0661\u2460");
});
