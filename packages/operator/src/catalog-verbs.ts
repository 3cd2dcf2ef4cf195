// What an operator asks about catalogs, and how one is edited: which were applied, what another text would change, where
// it is wrong, and the text that is in force instead of the files.

import { Fault } from "@turnpike/base";
import {
  applyCatalog,
  CatalogError,
  type CatalogFile,
  createLineFinder,
  type PriceVersion,
  queryNewestText,
  queryPriceHistory,
  queryText,
  storeText,
} from "@turnpike/catalog";
import { appliedCatalogs, catalogTexts, type Db } from "@turnpike/db";
import { stateRates } from "@turnpike/terms";
import { desc, sql } from "drizzle-orm";
import { z } from "zod";
import { type CatalogFiles, requireRight } from "./catalog-files.ts";
import { compareCatalogs, noChanges } from "./compare-catalogs.ts";
import { line } from "./inputs.ts";
import { recordAction } from "./record-action.ts";
import { command, everyone, type Operator, type OperatorServices, owners, query } from "./verb.ts";

const textCharsMax = 500_000;
const textInput = z.string().max(textCharsMax);
const versionsMax = 50;

export const catalogVerbs = {
  versions: query({
    roles: everyone,
    summary: "the versions of the catalog in the order they were applied, newest first",
    input: {},
    run: async ({ db, catalogFiles }) => ({
      inUse: catalogFiles.current().version,
      versions: await listVersions(db),
    }),
  }),
  prices: query({
    roles: everyone,
    summary: "every standard price that a model ever had, newest first",
    input: { model: line(200) },
    run: async ({ db }, _, { model }) => ({
      model,
      prices: (await queryPriceHistory(db, model)).map(presentPrice),
    }),
  }),
  show: query({
    roles: owners,
    summary:
      "the text in force, where it comes from, and the texts that were applied, newest first",
    input: {},
    async run({ db, catalogFiles }) {
      const newest = await queryNewestText(db);
      return {
        /** What an edit is based on. */
        id: newest?.id ?? 0,
        isEdited: newest?.text != null,
        text: newest?.text ?? catalogFiles.text(),
        texts: await listTexts(db),
      };
    },
  }),
  edit: command({
    roles: owners,
    summary: "applies a text on every instance within a second, instead of their files",
    input: { text: textInput, basedOn: z.number().int().min(0).optional() },
    run: (services, by, input) => applyText(services, by, { ...input, action: "catalog.edit" }),
  }),
  rollback: command({
    roles: owners,
    summary: "applies an earlier text again",
    input: { id: z.number().int().min(1) },
    async run(services, by, { id, reason }) {
      const earlier = await queryText(services.db, id);
      if (earlier?.text == null) {
        throw new Fault("not_found", `There is no text ${id}. \`catalog show\` lists them.`, {
          param: "id",
        });
      }
      const { text } = earlier;
      return applyText(services, by, { text, reason, action: "catalog.rollback" });
    },
  }),
  release: command({
    roles: owners,
    summary: "returns to the catalog files of the instances, which must be the same",
    input: {},
    run: (services, by, { reason }) =>
      applyText(services, by, { text: null, reason, action: "catalog.release" }),
  }),
  check: query({
    roles: everyone,
    summary: "lists every mistake of the catalog file of this process, and what it hides",
    input: {},
    readsCatalogFile: true,
    async run({ catalogFiles }) {
      const file = requireRight(catalogFiles.own);
      return { ...presentFile(catalogFiles, file), right: file.unknownFields.length === 0 };
    },
    describe: ({ right, ...file }) => describeFile(file, right ? "is right" : "has unknown fields"),
  }),
  applyFile: command({
    // The name of a command for long; no procedure of tRPC can have it.
    commandName: "catalog apply",
    roles: owners,
    summary: "appends changed prices; servers with this file load it within seconds",
    input: {},
    readsCatalogFile: true,
    reasonIsOptional: true,
    async run({ db, catalogFiles }, by, { reason }) {
      const file = requireRight(catalogFiles.own);
      await db.transaction(async (tx) => {
        if ((await queryNewestText(tx))?.text != null) {
          throw new Fault(
            "conflict",
            "A catalog that was edited is in force. Change it with `catalog edit`, or return to the files with `catalog release` first.",
          );
        }
        await recordAction(tx, by, { action: "catalog.apply", object: file.version, reason });
        await applyCatalog(tx, file);
      });
      return presentFile(catalogFiles, file);
    },
    describe: (file) => describeFile(file, "is applied"),
  }),
  compare: query({
    roles: everyone,
    summary:
      "what the text of a catalog would change here, and every mistake in it; changes nothing",
    input: { text: textInput },
    run: async ({ catalogFiles }, _, { text }) => {
      const read = parseText(catalogFiles, text);
      if ("mistakes" in read) return { ...noChanges, mistakes: read.mistakes };
      return { ...compareCatalogs(catalogFiles.current(), read.file), mistakes: [] };
    },
  }),
};

async function listVersions(db: Db) {
  const rows = await db
    .select({ version: appliedCatalogs.version, appliedAt: appliedCatalogs.appliedAt })
    .from(appliedCatalogs)
    .orderBy(desc(appliedCatalogs.id))
    .limit(versionsMax);
  return rows.map((row) => ({ ...row, appliedAt: row.appliedAt.toISOString() }));
}

function presentFile({ path }: CatalogFiles, { models, hidden, unknownFields }: CatalogFile) {
  return {
    file: path,
    models: models.map(({ id }) => id),
    hidden: hidden.map(({ id, reason }) => ({ id, reason })),
    unknownFields,
  };
}

function describeFile(
  { file, models, hidden, unknownFields }: ReturnType<typeof presentFile>,
  verdict: string,
): string[] {
  return [
    `${file} ${verdict}: ${models.length} models visible, ${hidden.length} hidden.`,
    ...unknownFields.map((field) => `unknown field ${field}: ignored`),
    ...hidden.map(({ id, reason }) => `hidden ${id}: ${reason}`),
  ];
}

function presentPrice(price: PriceVersion) {
  return { since: price.since.toISOString(), ...stateRates(price) };
}

function parseText({ read }: CatalogFiles, text: string) {
  try {
    return { file: read(text) };
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    const lineOf = createLineFinder(text);
    return { mistakes: error.mistakes.map((one) => ({ line: lineOf(one.path), ...one })) };
  }
}

type Edit = {
  /** Null: the files. */
  readonly text: string | null;
  readonly basedOn?: number | undefined;
  readonly reason: string;
  readonly action: string;
};

async function applyText(
  { db, catalogFiles }: OperatorServices,
  by: Operator,
  { text, basedOn, reason, action: name }: Edit,
) {
  const file = requireRight(
    () => (text === null ? catalogFiles.own() : catalogFiles.read(text)),
    text === null ? undefined : "text",
  );
  const { version } = file;
  return db.transaction(async (tx) => {
    const id = await storeText(tx, { basedOn, text, version, appliedBy: by.name, reason });
    await recordAction(tx, by, { action: name, object: `text ${id}`, reason });
    await applyCatalog(tx, file);
    return { id, version };
  });
}

async function listTexts(db: Db) {
  const rows = await db
    .select({
      id: catalogTexts.id,
      version: catalogTexts.version,
      isFile: sql<boolean>`${catalogTexts.text} is null`,
      appliedBy: catalogTexts.appliedBy,
      reason: catalogTexts.reason,
      appliedAt: catalogTexts.appliedAt,
    })
    .from(catalogTexts)
    .orderBy(desc(catalogTexts.id))
    .limit(versionsMax);
  return rows.map((row) => ({ ...row, appliedAt: row.appliedAt.toISOString() }));
}
