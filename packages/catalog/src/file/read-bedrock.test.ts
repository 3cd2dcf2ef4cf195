// How catalog entries for Amazon Bedrock are read.
import { expect, test } from "bun:test";
import { mistakesOfProvider, readOneProvider } from "./read-provider.fixture.ts";

const claude = { model: "us.anthropic.claude-sonnet-4-5-20250929-v1:0" };
const key = "accessKeyId: os.environ/AWS_ID, secretAccessKey: os.environ/AWS_SECRET";
const environment = { AWS_ID: "AKIDEXAMPLE", AWS_SECRET: "secret-1" };

test("an access key signs requests to the address of its region", () => {
  const entry = `{ id: bedrock, region: us-east-1, ${key} }`;
  expect(readOneProvider(entry, environment, claude)).toEqual({
    id: "bedrock",
    kind: "anthropic",
    cloud: "bedrock",
    baseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com",
    credential: {
      scheme: "aws-sigv4",
      region: "us-east-1",
      accessKeyId: "AKIDEXAMPLE",
      secretAccessKey: "secret-1",
      sessionToken: undefined,
    },
    cancelledStream: "billed_as_written",
  });
});

test("temporary credentials have a session token, and China has its own address", () => {
  const entry = `{ id: b, kind: bedrock, region: cn-north-1, ${key}, sessionToken: os.environ/TOKEN }`;
  expect(readOneProvider(entry, { ...environment, TOKEN: "t" }, claude)).toMatchObject({
    baseUrl: "https://bedrock-runtime.cn-north-1.amazonaws.com.cn",
    credential: { sessionToken: "t" },
  });
  expect(readOneProvider(entry, environment, claude)).toBe(
    "provider b is not set up: TOKEN is not set",
  );
});

test("an API key of Bedrock is sent as bearer", () => {
  const entry = "{ id: bedrock, region: eu-west-1 }";
  expect(readOneProvider(entry, { AWS_BEARER_TOKEN_BEDROCK: "k" }, claude)).toMatchObject({
    credential: { scheme: "bearer", secret: "k" },
  });
  expect(readOneProvider(entry, {}, claude)).toBe(
    "provider bedrock is not set up: AWS_BEARER_TOKEN_BEDROCK is not set",
  );
});

test.each([
  ["{ id: bedrock }", 'region: is required: write a region like "us-east-1"'],
  [
    "{ id: bedrock, region: evil.example.com/us-east-1 }",
    'region: must be a region like "us-east-1"',
  ],
  [
    "{ id: aws, kind: bedrock, region: us-east-1 }",
    "accessKeyId: is required: accessKeyId and secretAccessKey, or a Bedrock API key as apiKey",
  ],
  [
    "{ id: bedrock, region: us-east-1, accessKeyId: a }",
    "secretAccessKey: is required with accessKeyId",
  ],
  [
    "{ id: bedrock, region: us-east-1, secretAccessKey: a }",
    "accessKeyId: is required with secretAccessKey",
  ],
  [
    "{ id: bedrock, region: us-east-1, sessionToken: a }",
    "accessKeyId: is required with sessionToken",
  ],
  [
    "{ id: bedrock, region: us-east-1, accessKeyId: a, secretAccessKey: b, apiKey: c }",
    "apiKey: must be omitted if accessKeyId is given",
  ],
  [
    "{ id: bedrock, region: us-east-1, accessKeyId: a, secretAccessKey: b c }",
    "secretAccessKey: must be printable ASCII without spaces, and not empty",
  ],
  [
    "{ id: openai, apiKey: k, region: us-east-1 }",
    "region: is a field of providers of kind bedrock",
  ],
])("%s is refused with what to write", (entry, mistake) => {
  expect(mistakesOfProvider(entry, {}, claude)).toEqual([`providers[0].${mistake}`]);
});

test("a model that is not Claude is refused by its route, the ARN of an inference profile is accepted", () => {
  const entry = `{ id: bedrock, region: us-east-1, ${key} }`;
  expect(mistakesOfProvider(entry, environment, { model: "amazon.nova-pro-v1:0" })).toEqual([
    "models[0].routes[0].model: only Claude is served from Bedrock: write anthropic.claude-..., us.anthropic.claude-... or the ARN of its profile",
  ]);
  const arn = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc123";
  for (const model of [
    "anthropic.claude-v2",
    arn,
    `${arn.replace(/application.*/, "")}inference-profile/us.anthropic.claude-x`,
  ]) {
    expect(mistakesOfProvider(entry, environment, { model })).toEqual([]);
  }
});
