// Reads an entry of kind bedrock: its region, and the access key that signs its requests, or their API key.
import type { AnthropicProvider, AwsKey, Credential } from "@turnpike/providers";
import {
  type EntryContext,
  fill,
  mistake,
  type ProviderReading,
  type Read,
  readAddress,
  readKey,
  readyWith,
  sharedFields,
} from "./provider-reading.ts";

export function readBedrock(context: EntryContext): ProviderReading {
  const { entry } = context;
  if (entry.region === undefined) {
    return mistake("region", 'is required: write a region like "us-east-1"');
  }
  const region = fill(context, "region", entry.region);
  if (region.kind !== "value") return region;
  if (!/^[a-z]{2,4}(?:-[a-z]{1,16}){1,3}-\d{1,2}$/.test(region.value)) {
    return mistake("region", 'must be a region like "us-east-1"');
  }
  const address = readAddress(context, entry.baseUrl ?? addressOf(region.value));
  if (address.kind !== "value") return address;
  const credential = readCredential(context, region.value);
  if (credential.kind !== "value") return credential;
  const provider: AnthropicProvider = {
    kind: "anthropic",
    ...sharedFields(context),
    baseUrl: address.value,
    credential: credential.value,
    cloud: "bedrock",
  };
  return readyWith(context, () => provider);
}

/** https://docs.aws.amazon.com/general/latest/gr/bedrock.html */
function addressOf(region: string): string {
  const top = region.startsWith("cn-") ? "com.cn" : "com";
  return `https://bedrock-runtime.${region}.amazonaws.${top}`;
}

function readCredential(context: EntryContext, region: string): Read<Credential> {
  const { accessKeyId, secretAccessKey, sessionToken, apiKey } = context.entry;
  if (accessKeyId === undefined) {
    if (secretAccessKey !== undefined)
      return mistake("accessKeyId", "is required with secretAccessKey");
    if (sessionToken !== undefined) return mistake("accessKeyId", "is required with sessionToken");
    const advice = "is required: accessKeyId and secretAccessKey, or a Bedrock API key as apiKey";
    return readKey(context, "bearer") ?? mistake("accessKeyId", advice);
  }
  if (apiKey !== undefined) return mistake("apiKey", "must be omitted if accessKeyId is given");
  if (secretAccessKey === undefined) {
    return mistake("secretAccessKey", "is required with accessKeyId");
  }
  return readAwsKey(context, region, { accessKeyId, secretAccessKey, sessionToken });
}

type AwsTexts = Pick<AwsKey, "accessKeyId" | "secretAccessKey" | "sessionToken">;

function readAwsKey(context: EntryContext, region: string, texts: AwsTexts): Read<AwsKey> {
  const key: Record<keyof AwsTexts, string> = {
    accessKeyId: "",
    secretAccessKey: "",
    sessionToken: "",
  };
  for (const name of ["accessKeyId", "secretAccessKey", "sessionToken"] as const) {
    const text = texts[name];
    if (text === undefined) continue;
    const value = fill(context, name, text);
    if (value.kind !== "value") return value;
    key[name] = value.value.trim();
    if (/^[\x21-\x7e]+$/.test(key[name])) continue;
    return mistake(name, "must be printable ASCII without spaces, and not empty");
  }
  const sessionToken = texts.sessionToken === undefined ? undefined : key.sessionToken;
  return { kind: "value", value: { ...key, scheme: "aws-sigv4", region, sessionToken } };
}
