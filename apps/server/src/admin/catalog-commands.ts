// Operator commands for the catalog file: find its mistakes, make its prices the current ones.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Fault } from "@turnpike/base";
import { applyCatalog, type CatalogFile, readCatalog, readNewestText } from "@turnpike/catalog";
import { readErrorCode } from "@turnpike/db";
import type { CatalogFiles } from "@turnpike/operator";
import { type AdminContext, type Command, defineCommand, type Report } from "./command.ts";

export const catalogCommands = {
  "catalog check": defineCommand({
    required: [],
    optional: ["file"],
    summary: "lists every mistake of the file",
    async run(context, { file }) {
      const path = file ?? context.config.CATALOG_FILE;
      const catalog = read(context, path);
      const isWrong = catalog.unknownFields.length > 0;
      const verdict = isWrong ? "has unknown fields" : "is right";
      return { ...describeCatalog(path, catalog, verdict), isWrong };
    },
  }),
  "catalog apply": defineCommand({
    required: [],
    optional: ["file"],
    summary: "appends changed prices; servers with this file load it within seconds",
    async run(context, { file }) {
      const path = file ?? context.config.CATALOG_FILE;
      const catalog = read(context, path);
      if ((await readNewestText(context.db()))?.text != null) {
        throw new Fault(
          "conflict",
          "A catalog that was edited is in force. Change it with `catalog edit`, or return to the files with `catalog release` first.",
        );
      }
      await applyCatalog(context.db(), catalog);
      return describeCatalog(path, catalog, "is applied");
    },
  }),
} satisfies Record<string, Command>;

/** Throws CatalogError, and `not_found` for a file that cannot be read. */
function read(context: AdminContext, path: string): CatalogFile {
  return readHere(context, readText(path));
}

function readHere({ config, isDevelopment }: AdminContext, text: string): CatalogFile {
  return readCatalog(text, config.environment, {
    allowPrivate: config.ALLOW_PRIVATE_UPSTREAMS ?? isDevelopment,
  });
}

export function openCatalogFiles(context: AdminContext): CatalogFiles {
  return {
    current: () => read(context, context.config.CATALOG_FILE),
    own: () => read(context, context.config.CATALOG_FILE),
    text: () => readText(context.config.CATALOG_FILE),
    read: (text) => readHere(context, text),
  };
}

export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Fault("not_found", describeUnreadable(path, readErrorCode(error)), { cause: error });
  }
}

/** The absolute path also shows which folder a relative one was looked up in. */
function describeUnreadable(path: string, code: string | undefined): string {
  const file = resolve(path);
  const advice = "Name the catalog by --file PATH or CATALOG_FILE.";
  if (code === "ENOENT") return `The file ${file} does not exist. ${advice}`;
  if (code === "EISDIR") return `${file} is a folder. ${advice}`;
  if (code === "EACCES") return `This user may not read the file ${file}.`;
  return `The file ${file} cannot be read (${code}). ${advice}`;
}

function describeCatalog(path: string, catalog: CatalogFile, verdict: string): Report {
  const models = catalog.models.map((model) => model.id);
  const hidden = catalog.hidden.map(({ id, reason }) => ({ id, reason }));
  return {
    json: { file: path, models, hidden, unknownFields: catalog.unknownFields },
    text: [
      `${path} ${verdict}: ${models.length} models visible, ${hidden.length} hidden.`,
      ...catalog.unknownFields.map((field) => `unknown field ${field}: ignored`),
      ...hidden.map(({ id, reason }) => `hidden ${id}: ${reason}`),
    ],
  };
}
