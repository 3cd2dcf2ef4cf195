// Fonts for the scripts that the font of statements lacks: Chinese, Japanese, Korean, Thai and Devanagari. Only the parts
// of a font that the given texts need are read, and only their glyphs are kept; texts without them read nothing.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";
import { z } from "zod";

/** A stretch of a text in one font; without a name in the font of the document. */
export type Run = { readonly text: string; readonly font: string | undefined };

export type NameFonts = {
  /** TrueType files, by the names that runs have. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Of a part of one of the texts; joined they are that part. */
  readonly runsOf: (part: string) => readonly Run[];
};

// The blocks of these scripts, of which DejaVu has next to nothing.
const foreign =
  /[\u0900-\u097f\u0e00-\u0e7f\u1100-\u11ff\u1cd0-\u1cff\u2e80-\ua4cf\ua8e0-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{3ffff}]/u;
const joiner = /[\u200c\u200d]/u;
const families = ["sc", "tc", "jp", "kr", "thai", "devanagari"] as const;
type Family = (typeof families)[number];
const unicodeSchema = z.record(z.string(), z.string());
const regularWeight = 400;

export async function openNameFonts(texts: readonly string[]): Promise<NameFonts> {
  const fontOf = new Map<string, string>();
  for (const text of texts.filter((one) => foreign.test(one))) {
    const preferred = preferFamilies(text);
    for (const character of text) {
      if (!foreign.test(character) || fontOf.has(character)) continue;
      const file = findFile(preferred, character);
      if (file !== undefined) fontOf.set(character, file);
    }
  }
  const files = new Map<string, Uint8Array>();
  for (const [file, characters] of Map.groupBy(fontOf.keys(), (one) => fontOf.get(one) ?? "")) {
    const subset = await subsetFont(readFileSync(file), `${characters.join("")}\u200c\u200d`, {
      targetFormat: "sfnt",
      variationAxes: { wght: regularWeight },
    });
    files.set(file, subset);
  }
  return { files, runsOf: (part) => splitRuns(part, fontOf) };
}

function splitRuns(part: string, fontOf: ReadonlyMap<string, string>): readonly Run[] {
  const runs: { text: string; font: string | undefined }[] = [];
  for (const character of part) {
    const last = runs.at(-1);
    const font = joiner.test(character) ? last?.font : fontOf.get(character);
    if (last !== undefined && last.font === font) last.text += character;
    else runs.push({ text: character, font });
  }
  return runs;
}

/** The same character is drawn otherwise in each language: kana and hangul tell, else the first font that has all. */
function preferFamilies(text: string): readonly Family[] {
  const characters = [...text].filter((one) => foreign.test(one));
  const has = (family: Family) => characters.every((one) => findFile([family], one) !== undefined);
  const first = /[\u3040-\u30ff]/u.test(text)
    ? "jp"
    : /[\u1100-\u11ff\uac00-\ud7ff]/u.test(text)
      ? "kr"
      : families.find(has);
  return first === undefined ? families : [first, ...families];
}

function findFile(preferred: readonly Family[], character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  for (const family of preferred) {
    const file = filesOf(family).get(code);
    if (file !== undefined) return file;
  }
  return undefined;
}

const filesByFamily = new Map<Family, ReadonlyMap<number, string>>();

/** A font is cut into files of some hundred characters each: the file of every code point. */
function filesOf(family: Family): ReadonlyMap<number, string> {
  const known = filesByFamily.get(family);
  if (known !== undefined) return known;
  const files = new Map<number, string>();
  const listed = unicodeSchema.parse(
    JSON.parse(readFileSync(pathOf(family, "unicode.json"), "utf8")),
  );
  for (const [key, ranges] of Object.entries(listed)) {
    const part = key.replace(/[[\]]/g, "");
    const file = pathOf(family, `files/noto-sans-${family}-${part}-wght-normal.woff2`);
    for (const range of ranges.split(",")) {
      // `U+4e00-4e0f`, or `U+4e00` alone.
      const [first = "", last = first] = range.replace("U+", "").split("-");
      const end = Number.parseInt(last, 16);
      for (let code = Number.parseInt(first, 16); code <= end; code += 1) files.set(code, file);
    }
  }
  filesByFamily.set(family, files);
  return files;
}

function pathOf(family: Family, file: string): string {
  return fileURLToPath(import.meta.resolve(`@fontsource-variable/noto-sans-${family}/${file}`));
}
