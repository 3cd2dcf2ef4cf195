// The search of the docs, loaded when somebody types: the index that was built with the console, and the endpoints
// of this server.
import { fetchOpenApi, sectionsOfApi } from "./open-api.ts";
import { type Found, searchSections } from "./search-sections.ts";
import type { Section } from "./write-index.ts";

export async function loadSearch(): Promise<(typed: string) => readonly Found[]> {
  const [sections, operations] = await Promise.all([fetchIndex(), fetchOpenApi()]);
  const all = [...sections, ...sectionsOfApi(operations)];
  return (typed) => searchSections(all, typed);
}

async function fetchIndex(): Promise<readonly Section[]> {
  const response = await fetch("/docs-index.json");
  if (!response.ok) throw new Error(`/docs-index.json: ${response.status}`);
  return response.json();
}
