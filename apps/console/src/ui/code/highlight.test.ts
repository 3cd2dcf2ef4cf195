import { expect, test } from "bun:test";
import { type CodeLanguage, highlight } from "./highlight.ts";

const languages: readonly CodeLanguage[] = ["bash", "python", "javascript", "json", "yaml", "text"];
const samples = [
  'curl http://x/v1 \\\n  -H "Authorization: Bearer $API_KEY" # say hello\n  -d \'{"a": 1.5}\'',
  'from openai import OpenAI\nclient = OpenAI(base_url="x", n=2)  # ä 😀',
  "const x = `a`; // it's\n/* b */ await f({ k: 'v', 'unterminated",
  "",
];

test("DOC-2 highlighting loses and adds no character", () => {
  for (const language of languages) {
    for (const code of samples) {
      expect(
        highlight(code, language)
          .map(({ text }) => text)
          .join(""),
      ).toBe(code);
    }
  }
});

test("strings, keywords and comments are distinguished", () => {
  const kinds = Object.fromEntries(
    highlight('const a = "b"; // c', "javascript").map(({ kind, text }) => [text, kind]),
  );
  expect(kinds).toMatchObject({ const: "keyword", '"b"': "string", "// c": "comment" });
});
