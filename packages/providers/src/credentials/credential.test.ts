import { expect, test } from "bun:test";
import { addCredential, type Credential, secretsOf } from "./credential.ts";

const secret = "sk-1";
const cases: readonly [string, Credential, Record<string, string>][] = [
  ["no credential", { scheme: "none" }, {}],
  ["a bearer token", { scheme: "bearer", secret }, { authorization: "Bearer sk-1" }],
  ["x-api-key", { scheme: "x-api-key", secret }, { "x-api-key": secret }],
  ["api-key", { scheme: "api-key", secret }, { "api-key": secret }],
  ["xi-api-key", { scheme: "xi-api-key", secret }, { "xi-api-key": secret }],
  ["a key by Deepgram's word", { scheme: "token", secret }, { authorization: "Token sk-1" }],
];

test.each(cases)("%s is sent in its own header and nowhere else", (_, credential, expected) => {
  const headers = new Headers();
  addCredential(headers, credential);
  expect(Object.fromEntries(headers)).toEqual(expected);
  expect(secretsOf(credential)).toEqual(credential.scheme === "none" ? [] : [secret]);
});

test("the secrets of an AWS access key include its id and its session token", () => {
  const key = { scheme: "aws-sigv4", region: "us-east-1", accessKeyId: "AKIDEXAMPLE" } as const;
  const permanent = { ...key, secretAccessKey: "wJalr", sessionToken: undefined };
  expect(secretsOf(permanent)).toEqual(["AKIDEXAMPLE", "wJalr"]);
  expect(secretsOf({ ...permanent, sessionToken: "t" })).toEqual(["AKIDEXAMPLE", "wJalr", "t"]);
});

test.each([["\n"], ["\r\n"]])(
  "every line of a private key is secret, with line ends %j",
  (lineEnd) => {
    const lines = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "BKcwggSjAgEAAoIBAQ=="];
    const privateKey = ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----", ""];
    const account = {
      scheme: "google-service-account",
      tokenUrl: "https://oauth2.googleapis.com/token",
      clientEmail: "gateway@my-project.iam.gserviceaccount.com",
      privateKey: privateKey.join(lineEnd),
      privateKeyId: undefined,
    } as const;
    expect(secretsOf(account)).toEqual([...lines]);
  },
);
