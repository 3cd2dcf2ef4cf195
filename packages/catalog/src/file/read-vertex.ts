// Reads an entry of kind vertex: the project and location it is called in, and the service account whose
// tokens authenticate the calls.
import type { AnthropicProvider, GoogleProvider } from "@turnpike/providers";
import { parseVertexModel } from "@turnpike/providers";
import {
  type EntryContext,
  fill,
  mistake,
  type ProviderReading,
  readAddress,
  readyWith,
  sharedFields,
} from "./provider-reading.ts";
import { readServiceAccount } from "./read-service-account.ts";

export function readVertex(context: EntryContext): ProviderReading {
  const { entry } = context;
  if (entry.location === undefined) {
    return mistake("location", 'is required: write global or a region like "europe-west1"');
  }
  const location = fill(context, "location", entry.location);
  if (location.kind !== "value") return location;
  if (!/^[a-z]{2,20}(?:-[a-z]{2,20}\d{1,3})?$/.test(location.value)) {
    return mistake("location", 'must be global, us, eu or a region like "europe-west1"');
  }
  const project = fill(context, "project", entry.project ?? "");
  if (project.kind !== "value") return project;
  const address = readAddress(context, entry.baseUrl ?? addressOf(location.value));
  if (address.kind !== "value") return address;
  const read = readServiceAccount(context);
  if (read.kind !== "value") return read;
  const { account, projectId = "" } = read.value;
  const projectName = project.value || projectId;
  if (!/^[a-z0-9][a-z0-9.:-]{0,99}$/.test(projectName)) {
    return mistake("project", "is required: the id of a project, as in the service account's file");
  }
  const shared = {
    ...sharedFields(context),
    baseUrl: `${address.value}/projects/${projectName}/locations/${location.value}`,
    credential: account,
    cloud: "vertex",
  } as const;
  const google: GoogleProvider = { kind: "google", ...shared };
  const anthropic: AnthropicProvider = { kind: "anthropic", ...shared };
  return readyWith(context, (upstreamModel) =>
    parseVertexModel(upstreamModel)?.dialect === "anthropic" ? anthropic : google,
  );
}

/** https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations */
function addressOf(location: string): string {
  if (location === "global") return "https://aiplatform.googleapis.com/v1";
  const isMultiRegion = location === "us" || location === "eu";
  return isMultiRegion
    ? `https://aiplatform.${location}.rep.googleapis.com/v1`
    : `https://${location}-aiplatform.googleapis.com/v1`;
}
