// Reads an entry of kind azure: the resource it is at, the form of its API, and its key.
import { type AzureAddress, azureQuirks, type OpenaiProvider } from "@turnpike/providers";
import {
  type EntryContext,
  mistake,
  type ProviderReading,
  readAddress,
  readKey,
  readyWith,
  sharedFields,
} from "./provider-reading.ts";

export function readAzure(context: EntryContext): ProviderReading {
  const { entry } = context;
  if (entry.baseUrl === undefined) {
    return mistake("baseUrl", "is required: write https://RESOURCE.openai.azure.com");
  }
  const azure = readApiVersion(entry.apiVersion);
  if (azure === undefined) {
    return mistake("apiVersion", 'must be a date like "2024-10-21", v1 or preview');
  }
  const address = readAddress(context, entry.baseUrl);
  if (address.kind !== "value") return address;
  const resource = address.value.replace(/\/openai(?:\/v1)?$/, "");
  if (/\/openai(?:\/|$)/.test(resource)) {
    return mistake(
      "baseUrl",
      "must end with the resource: the deployment is the model of a route, api-version is apiVersion",
    );
  }
  const key = readKey(context);
  if (key === undefined) {
    return mistake("apiKey", "is required: a key of the resource, or a token with auth: bearer");
  }
  if (key.kind !== "value") return key;
  const { cancelledStream: _, ...quirks } = entry.quirks;
  const provider: OpenaiProvider = {
    kind: "openai-compatible",
    ...sharedFields(context),
    baseUrl: azure.form === "v1" ? `${resource}/openai/v1` : `${resource}/openai`,
    credential: key.value,
    azure,
    quirks: { ...azureQuirks(azure), ...quirks },
  };
  return readyWith(context, () => provider);
}

/** https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle; undefined for no version. */
function readApiVersion(apiVersion = "v1"): AzureAddress | undefined {
  if (apiVersion === "v1") return { form: "v1", apiVersion: undefined };
  if (apiVersion === "preview") return { form: "v1", apiVersion };
  const isDate = /^\d{4}-\d{2}-\d{2}(?:-preview)?$/.test(apiVersion);
  return isDate ? { form: "deployments", apiVersion } : undefined;
}
