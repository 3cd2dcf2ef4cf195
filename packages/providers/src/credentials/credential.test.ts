import { expect, test } from "bun:test";
import { addCredential, type Credential, secretsOf } from "./credential.ts";

const secret = "sk-1";
const cases: readonly [string, Credential, Record<string, string>][] = [
  ["no credential", { scheme: "none" }, {}],
  ["a bearer token", { scheme: "bearer", secret }, { authorization: "Bearer sk-1" }],
  ["x-api-key", { scheme: "x-api-key", secret }, { "x-api-key": secret }],
  ["api-key", { scheme: "api-key", secret }, { "api-key": secret }],
];

test.each(cases)("%s is sent in its own header and nowhere else", (_, credential, expected) => {
  const headers = new Headers();
  addCredential(headers, credential);
  expect(Object.fromEntries(headers)).toEqual(expected);
  expect(secretsOf(credential)).toEqual(credential.scheme === "none" ? [] : [secret]);
});
