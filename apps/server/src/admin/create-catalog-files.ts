// The catalog as one command sees it: the file that `--file` or CATALOG_FILE names, read when a verb asks for it.
import { type CatalogFile, readCatalog } from "@turnpike/catalog";
import type { CatalogFiles } from "@turnpike/operator";
import { readCatalogText } from "../read-catalog-text.ts";
import type { AdminContext } from "./command.ts";

export function createCatalogFiles(
  { config, isDevelopment }: AdminContext,
  path = config.CATALOG_FILE,
): CatalogFiles {
  const text = () => readCatalogText(path);
  const read = (given: string): CatalogFile =>
    readCatalog(given, config.environment, {
      allowPrivate: config.ALLOW_PRIVATE_UPSTREAMS ?? isDevelopment,
    });
  const own = () => read(text());
  return { path, text, read, own, current: own };
}
