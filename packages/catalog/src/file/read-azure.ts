// Reads an entry of kind azure: the resource it is at, the form of its API, and its key.
import {
  type AzureAddress,
  azureQuirks,
  type Credential,
  type EntraClient,
  type OpenaiProvider,
  whyBaseUrlRefused,
} from "@turnpike/providers";
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

export function readAzure(context: EntryContext): ProviderReading {
  const { entry } = context;
  if (entry.baseUrl === undefined) {
    return mistake("baseUrl", "is required: write https://RESOURCE.openai.azure.com");
  }
  const azure = parseApiVersion(entry.apiVersion);
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
  const credential = readCredential(context, resource);
  if (credential.kind !== "value") return credential;
  const { cancelledStream: _, ...quirks } = entry.quirks;
  const provider: OpenaiProvider = {
    kind: "openai-compatible",
    ...sharedFields(context),
    baseUrl: azure.form === "v1" ? `${resource}/openai/v1` : `${resource}/openai`,
    credential: credential.value,
    azure,
    quirks: { ...azureQuirks(azure), ...quirks },
  };
  return readyWith(context, () => provider);
}

function readCredential(context: EntryContext, resource: string): Read<Credential> {
  const { entra, apiKey } = context.entry;
  if (entra !== undefined) {
    if (apiKey === undefined) return readEntra(context, entra, resource);
    return mistake("apiKey", "must be omitted if entra is given");
  }
  const key = readKey(context, "api-key");
  if (key !== undefined) return key;
  return mistake(
    "apiKey",
    "is required: a key of the resource, a token with auth: bearer, or entra",
  );
}

type EntraText = NonNullable<EntryContext["entry"]["entra"]>;

/** https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
function readEntra(context: EntryContext, entra: EntraText, resource: string): Read<EntraClient> {
  const { options } = context;
  const isOfUsGovernment = /\.azure\.us$/.test(new URL(resource).hostname);
  const top = isOfUsGovernment ? "us" : "com";
  const read: string[] = [];
  const authority = entra.authority ?? `https://login.microsoftonline.${top}`;
  const texts = { ...entra, authority };
  for (const name of ["authority", "tenantId", "clientId", "clientSecret"] as const) {
    const value = fill(context, `entra.${name}`, texts[name]);
    if (value.kind !== "value") return value;
    read.push(value.value.trim());
  }
  const [authorityUrl = "", tenantId = "", clientId = "", clientSecret = ""] = read;
  const refused = whyBaseUrlRefused(authorityUrl, options);
  if (refused !== undefined) return mistake("entra.authority", refused);
  if (!/^\w[\w.-]*$/.test(tenantId))
    return mistake("entra.tenantId", "must be a tenant's id or domain");
  if (clientId === "") return mistake("entra.clientId", "must not be empty");
  if (clientSecret === "") return mistake("entra.clientSecret", "must not be empty");
  const client: EntraClient = {
    scheme: "entra-client",
    tokenUrl: `${authorityUrl.replace(/\/$/, "")}/${tenantId}/oauth2/v2.0/token`,
    clientId,
    clientSecret,
    scope: `https://cognitiveservices.azure.${top}/.default`,
  };
  return { kind: "value", value: client };
}

/**
 * https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle; undefined for text
 * that is not a version.
 */
function parseApiVersion(apiVersion = "v1"): AzureAddress | undefined {
  if (apiVersion === "v1") return { form: "v1", apiVersion: undefined };
  if (apiVersion === "preview") return { form: "v1", apiVersion };
  const isDate = /^\d{4}-\d{2}-\d{2}(?:-preview)?$/.test(apiVersion);
  return isDate ? { form: "deployments", apiVersion } : undefined;
}
