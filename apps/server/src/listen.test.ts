// The headers that every answer of the listener carries.
import { expect, test } from "bun:test";
import { sealAnswers } from "./listen.ts";

const seal = (PUBLIC_URL: string) => sealAnswers({ PUBLIC_URL })(new Response()).headers;

test("HSTS is sent if the public URL is https, never if it is http", () => {
  const name = "strict-transport-security";
  expect(seal("https://turnpike.example").get(name)).toBe("max-age=31536000");
  expect(seal("http://localhost:3000").get(name)).toBeNull();
});

test("browsers may not guess the types of answers, with or without https", () => {
  for (const url of ["https://turnpike.example", "http://localhost:3000"]) {
    expect(seal(url).get("x-content-type-options")).toBe("nosniff");
  }
});
