// Catalogs with one provider, for the tests of how entries are read.
import type { Provider } from "@turnpike/providers";
import { CatalogError } from "./catalog-mistake.ts";
import { readCatalog } from "./read-catalog.ts";
import type { Environment } from "./substitute.ts";

type Options = { readonly model?: string; readonly allowPrivate?: boolean };

function read(entry: string, environment: Environment, { model = "m", allowPrivate }: Options) {
  const id = /\bid: ([\w.-]+)/.exec(entry)?.[1] ?? "";
  const text = `
providers:
  - ${entry}
models:
  - id: test/model
    contextTokens: 1000
    maxOutputTokens: 1000
    routes: [{ provider: ${id}, model: "${model}" }]
    prices: { input: "1", output: "1" }
`;
  return readCatalog(text, environment, { allowPrivate: allowPrivate ?? false });
}

/** The provider of the YAML `entry` as a route to `model` has it, or the reason why it is absent. */
export function readOneProvider(
  entry: string,
  environment: Environment = {},
  options: Options = {},
): Provider | string {
  const { models, hidden } = read(entry, environment, options);
  return models[0]?.routes[0].provider ?? hidden[0]?.reason ?? "";
}

/** Each mistake with its path. */
export function mistakesOfProvider(
  entry: string,
  environment: Environment = {},
  options: Options = {},
): string[] {
  try {
    read(entry, environment, options);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return error.mistakes.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}
