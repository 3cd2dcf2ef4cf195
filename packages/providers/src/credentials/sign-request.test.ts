// Signatures of AWS: its published test vectors, and botocore, which AWS maintains separately from the
// library used here.
import { expect, test } from "bun:test";
import type { AwsKey } from "./credential.ts";
import { signRequest } from "./sign-request.ts";

const key: AwsKey = {
  scheme: "aws-sigv4",
  region: "us-east-1",
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  sessionToken: undefined,
};
const signedAt = new Date("2015-08-30T12:36:00Z");

test("post-x-www-form-urlencoded of the AWS Signature Version 4 test suite", async () => {
  const request = {
    url: "https://example.amazonaws.com/",
    headers: new Headers({ "content-type": "application/x-www-form-urlencoded" }),
    body: "Param1=value1",
  };
  expect(await signRequest(key, request, { service: "service", signedAt })).toEqual({
    "x-amz-date": "20150830T123600Z",
    authorization:
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
  });
});

const program = `
import datetime, json, sys
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
given = json.load(sys.stdin)
auth = SigV4Auth(Credentials(given["id"], given["secret"], given["token"]), "bedrock", given["region"])
request = AWSRequest(method="POST", url=given["url"], data=given["body"].encode(),
                     headers={"content-type": "application/json"})
request.headers["X-Amz-Date"] = given["date"]
if given["token"]:
    request.headers["X-Amz-Security-Token"] = given["token"]
request.context["timestamp"] = given["date"]
canonical = auth.canonical_request(request)
print(auth.signature(auth.string_to_sign(request, canonical), request))
`;

async function findBotocore(): Promise<string | undefined> {
  const python = Bun.which("python3");
  if (python === null) return undefined;
  const probe = Bun.spawn([python, "-c", "import botocore"], { stderr: "ignore" });
  return (await probe.exited) === 0 ? python : undefined;
}

const python = await findBotocore();
if (python === undefined) console.log("skip: there is no python3 with botocore");

const base = "https://bedrock-runtime.eu-west-1.amazonaws.com";
const arn = "arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc123";

test.skipIf(python === undefined).each([
  [
    "a model with a colon",
    `${base}/model/anthropic.claude-3-5-sonnet-20241022-v2%3A0/invoke`,
    undefined,
  ],
  ["an ARN", `${base}/model/${encodeURIComponent(arn)}/invoke-with-response-stream`, undefined],
  [
    "a session token",
    `${base}/model/us.anthropic.claude-sonnet-4/invoke`,
    "FwoGZXIvYXdzEBYaDN//+=",
  ],
  ["a port", "http://127.0.0.1:8080/model/anthropic.claude/invoke", undefined],
])("botocore produces the same signature for %s", async (_, url, sessionToken) => {
  const body = '{"messages":"Grüße 😀"}';
  const headers = new Headers({ "content-type": "application/json" });
  const signed = await signRequest({ ...key, sessionToken }, { url, headers, body }, { signedAt });
  const date = signed["x-amz-date"];
  const { accessKeyId: id, secretAccessKey: secret, region } = key;
  const given = { url, body, id, secret, region, date, token: sessionToken ?? null };
  const run = Bun.spawn([python ?? "", "-c", program], {
    stdin: new Blob([JSON.stringify(given)]),
  });
  const expected = (await new Response(run.stdout).text()).trim();
  expect(expected).toMatch(/^[0-9a-f]{64}$/);
  expect(signed.authorization).toEndWith(`Signature=${expected}`);
  expect(signed["x-amz-security-token"]).toBe(sessionToken);
});
