// Operator commands for the catalogue file: find its mistakes, make its prices the current ones.

import { readFileSync } from "node:fs";
import { applyCatalog, type CatalogFile, readCatalog } from "@turnpike/catalog";
import { type AdminContext, type Command, defineCommand, type Report } from "./command.ts";

export const catalogCommands = {
  "catalog check": defineCommand({
    required: [],
    optional: ["file"],
    summary: "lists every mistake of the file",
    async run(context, { file }) {
      const path = file ?? context.config.CATALOG_FILE;
      return describeCatalog(path, read(context, path), "is right");
    },
  }),
  "catalog apply": defineCommand({
    required: [],
    optional: ["file"],
    summary: "appends changed prices; servers with this file load it within seconds",
    async run(context, { file }) {
      const path = file ?? context.config.CATALOG_FILE;
      const catalog = read(context, path);
      await applyCatalog(context.db(), catalog);
      return describeCatalog(path, catalog, "is applied");
    },
  }),
} satisfies Record<string, Command>;

/** Throws CatalogError. */
function read({ config, isDevelopment }: AdminContext, path: string): CatalogFile {
  return readCatalog(readFileSync(path, "utf8"), config.environment, {
    allowPrivate: config.ALLOW_PRIVATE_UPSTREAMS ?? isDevelopment,
  });
}

function describeCatalog(path: string, catalog: CatalogFile, verdict: string): Report {
  const models = catalog.models.map((model) => model.id);
  const hidden = catalog.hidden.map(({ id, reason }) => ({ id, reason }));
  return {
    json: { file: path, models, hidden },
    text: [
      `${path} ${verdict}: ${models.length} models visible, ${hidden.length} hidden.`,
      ...hidden.map(({ id, reason }) => `hidden ${id}: ${reason}`),
    ],
  };
}
