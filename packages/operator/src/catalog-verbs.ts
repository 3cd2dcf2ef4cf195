// What an operator asks about catalogues: which were applied, what another text would change, and where it is wrong.

import { formatUsd, toNanos } from "@turnpike/base";
import {
  CatalogError,
  type CatalogFile,
  type PriceVersion,
  readPriceHistory,
} from "@turnpike/catalog";
import { appliedCatalogs, type Db } from "@turnpike/db";
import { desc } from "drizzle-orm";
import { z } from "zod";
import { compareCatalogs, noChanges } from "./compare-catalogs.ts";
import { line } from "./inputs.ts";

import { everyone, question } from "./verb.ts";

const textCharsMax = 1_000_000;
const versionsMax = 50;

export const catalogVerbs = {
  versions: question({
    roles: everyone,
    summary: "the versions of the catalogue in the order they were applied, newest first",
    input: {},
    run: async ({ db, catalogFiles }) => ({
      inUse: catalogFiles.current().version,
      versions: await listVersions(db),
    }),
  }),
  prices: question({
    roles: everyone,
    summary: "every standard price that a model ever had, newest first",
    input: { model: line(200) },
    run: async ({ db }, _, { model }) => ({
      model,
      prices: (await readPriceHistory(db, model)).map(presentPrice),
    }),
  }),
  compare: question({
    roles: everyone,
    summary:
      "what the text of a catalogue would change here, and every mistake in it; changes nothing",
    input: { text: z.string().max(textCharsMax) },
    run: async ({ catalogFiles }, _, { text }) => {
      const read = readText(catalogFiles.read, text);
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

function presentPrice(price: PriceVersion) {
  return {
    since: price.since.toISOString(),
    inputUsd: formatUsd(toNanos(price.inputNanosPerMillion)),
    cachedInputUsd: formatUsd(toNanos(price.cachedInputNanosPerMillion)),
    outputUsd: formatUsd(toNanos(price.outputNanosPerMillion)),
  };
}

function readText(read: (text: string) => CatalogFile, text: string) {
  try {
    return { file: read(text) };
  } catch (error) {
    if (error instanceof CatalogError) return { mistakes: error.mistakes };
    throw error;
  }
}
