// Writes an archive as a compressed tar, page by page as it is read: its size is limited by neither memory nor time,
// and reading stops when the receiver does.
import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createGzip } from "node:zlib";
import { formatUtc } from "@turnpike/format";
import { getTableName } from "drizzle-orm";
import { type Pack, pack } from "tar-stream";
import type { ArchivedRow, ArchiveOf } from "./archived-tables.ts";
import { queryPages, type RunRead } from "./query-pages.ts";

export type ArchivePart = ArchiveOf & {
  /** Where its files are, e.g. `person`. */
  readonly folder: string;
  /** What was uploaded, beside the tables. */
  readonly files?: (read: RunRead) => AsyncIterable<ArchivedContents>;
};

export type ArchivedContents = {
  /** Within the folder `files`. */
  readonly name: string;
  readonly size: number;
  readonly chunks: AsyncIterable<Uint8Array>;
};

export type ArchiveOptions = {
  readonly at?: Date;
  /** Of one file; a longer table has several. */
  readonly rowsPerFile?: number;
};

export async function* writeArchive(
  read: RunRead,
  parts: readonly ArchivePart[],
  options: ArchiveOptions = {},
): AsyncGenerator<Uint8Array> {
  const tar = Readable.from(writeTar(read, parts, options), { objectMode: false });
  const gzip = createGzip();
  tar.on("error", (error) => gzip.destroy(error));
  tar.pipe(gzip);
  try {
    for await (const chunk of gzip) yield chunk;
  } finally {
    tar.destroy();
    gzip.destroy();
  }
}

async function* writeTar(
  read: RunRead,
  parts: readonly ArchivePart[],
  { at = new Date(), rowsPerFile = 2_000 }: ArchiveOptions,
): AsyncGenerator<Uint8Array> {
  const tar = pack();
  try {
    for await (const { name, text } of filesOf(read, parts, at, rowsPerFile)) {
      tar.entry({ name, mtime: at }, text);
      yield* takeFrom(tar);
    }
    for (const { folder, files } of parts) {
      for await (const file of files?.(read) ?? []) {
        yield* packContents(tar, { ...file, name: `${folder}/files/${file.name}` }, at);
      }
    }
    tar.finalize();
    yield* restOf(tar);
  } finally {
    tar.destroy();
  }
}

/** Never as a whole in memory: the next chunk is asked for when the one before was taken. */
async function* packContents(
  tar: Pack,
  { name, size, chunks }: ArchivedContents,
  at: Date,
): AsyncGenerator<Uint8Array> {
  const entry = tar.entry({ name, size, mtime: at });
  for await (const chunk of chunks) {
    let isTaken = entry.write(chunk);
    entry.once("drain", () => {
      isTaken = true;
    });
    while (!isTaken) {
      yield* takeFrom(tar);
      await nextTurn();
    }
  }
  // Its types demand a last chunk.
  entry.end(undefined);
  yield* takeFrom(tar);
}

/** What was packed so far, at least in part: the rest comes later. */
function* takeFrom(tar: Pack): Generator<Uint8Array> {
  for (;;) {
    const chunk: unknown = tar.read();
    if (!(chunk instanceof Uint8Array)) return;
    yield chunk;
  }
}

async function* restOf(tar: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of tar) if (chunk instanceof Uint8Array) yield chunk;
}

type ArchiveFile = { readonly name: string; readonly text: string };

async function* filesOf(
  read: RunRead,
  parts: readonly ArchivePart[],
  at: Date,
  rowsPerFile: number,
): AsyncGenerator<ArchiveFile> {
  yield { name: "README.txt", text: explain(parts, at) };
  for (const { folder, tables } of parts) {
    for (const archived of tables) {
      let number = 1;
      for await (const rows of queryPages(read, archived, archived.rowsPerFile ?? rowsPerFile)) {
        const suffix = number === 1 ? "" : `-${number}`;
        const name = `${folder}/${getTableName(archived.table)}${suffix}.json`;
        // A last page may be empty; a first one says that there are no rows.
        if (rows.length > 0 || number === 1) yield { name, text: toJson(rows) };
        number += 1;
      }
    }
  }
}

/** One row a line. */
function toJson(rows: readonly ArchivedRow[]): string {
  const lines = rows.map((row) => JSON.stringify(row, withoutBigints));
  return `[\n${lines.join(",\n")}\n]\n`;
}

function withoutBigints(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

function explain(parts: readonly ArchivePart[], at: Date): string {
  const lines = parts.flatMap(({ folder, title, tables, excluded, files }) => [
    "",
    `${folder}/: ${title}`,
    ...tables.map(({ table }) => `  ${getTableName(table)}.json`),
    ...(files === undefined ? [] : ["  files/: what was uploaded, each file after its id"]),
    ...Object.entries(excluded).map(([name, reason]) => `  not included: ${name} (${reason})`),
  ]);
  return [
    `Written on ${formatUtc(at)}.`,
    "",
    "One file for each table, a JSON array of its rows; a long table has several, -2 and so on.",
    "Amounts in columns that end in _nanos are nano-dollars: 1000000000 is 1 USD. Times are UTC.",
    "Not included anywhere: hashes of passwords, of API keys and of links, and sealed secrets.",
    ...lines,
    "",
  ].join("\n");
}
