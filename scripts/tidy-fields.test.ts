// What is known of a request field stands in its row (`packages/wire/src/fields`): a list of fields elsewhere in the
// product would have to be found and changed with each new field.
import { expect, test } from "bun:test";
import { namesInLiterals } from "./tidy/names-in-literals.ts";
import { isTest, readSources, root, type Source, withoutComments } from "./tidy/read-sources.ts";

type Tables = {
  readonly requestFields: ReadonlyMap<string, unknown>;
  readonly fieldTables: Readonly<Record<string, object>>;
};

/** No part of the package's interface: it is read as a source. */
const { requestFields, fieldTables }: Tables = await import(
  `${root}/packages/wire/src/fields/field-table.ts`
);

/** Fewer are what one function reads. */
const listedMin = 5;

/** Fewer are what one function reads or writes. */
const keyedMin = 8;

const exempt: readonly string[] = [
  // Where parts are looked for before it is known of which API a request is.
  "packages/wire/src/files/find-file-places.ts",
  // Keys that are recognized without a text of their own: a field that is missing there is read as well.
  "packages/wire/src/json/edit-json-object.ts",
  // A response shows the settings that it was made with, each with a default of its own.
  "packages/wire/src/responses/present-response.ts",
];

const openings = /\[(?=\s*(?:\.\.\.\s*\[\s*)?")/g;

/** The texts of each list of texts in `source`, with those of the lists spread in it. */
function listsIn({ text }: Pick<Source, "text">): readonly (readonly string[])[] {
  const code = withoutComments(text);
  return [...code.matchAll(openings)].map(({ index }) => {
    const [list = ""] = /^\[(?:[\s,\].[]|"[^"\n]*")*/.exec(code.slice(index)) ?? [];
    return [...list.matchAll(/"([^"\n]*)"/g)].flatMap(([, name]) => name ?? []);
  });
}

function isListOfFields(names: readonly string[]): boolean {
  const fields = names.filter((name) => requestFields.has(name));
  return fields.length >= listedMin && fields.length * 4 >= names.length * 3;
}

function isTableOfFields(names: readonly string[]): boolean {
  return new Set(names.filter((name) => requestFields.has(name))).size >= keyedMin;
}

function namesFields(source: Pick<Source, "text">): boolean {
  const isListed = listsIn(source).some(isListOfFields);
  return isListed || namesInLiterals(source.text).some(isTableOfFields);
}

test("no product file beside the table has a list of request fields", () => {
  const product = readSources().filter(
    ({ path }) =>
      /^(?:packages|apps\/server)\/.*src\//.test(path) &&
      !path.startsWith("packages/wire/src/fields/") &&
      !isTest(path),
  );
  expect(product.length).toBeGreaterThan(500);
  const wrong = product.filter(namesFields).map(({ path }) => path);
  expect(wrong).toEqual([...exempt]);
});

test("such a list is found however it is written, and others are not", () => {
  const fields = '"temperature", "top_p", "top_k", "seed", "stop"';
  expect(namesFields({ text: `const taken = [${fields}];` })).toBe(true);
  expect(namesFields({ text: `new Set([\n  ...[${fields}],\n  ...["x"],\n])` })).toBe(true);
  expect(namesFields({ text: `const few = ["temperature", "top_p", "top_k", "seed"];` })).toBe(
    false,
  );
  expect(namesFields({ text: `const words = [${fields}, "a", "b", "c"];` })).toBe(false);
  expect(namesFields({ text: `// [${fields}]` })).toBe(false);
});

test("a table by the names of fields is found, whether an object or pairs", () => {
  const names = ["temperature", "top_p", "top_k", "seed", "stop", "n", "tools", "logprobs"];
  const keys = names.map((name) => `${name}: decimal(0, { max: [2, 3] }), other_${name}: 1`);
  const pairs = names.map((name) => `["${name}", given]`);
  const [fewKeys, fewPairs] = [keys.slice(1), pairs.slice(1)];
  expect(namesFields({ text: `const rules = new Map(Object.entries({ ${keys} }));` })).toBe(true);
  expect(namesFields({ text: `const tests = new Map([${pairs}]);` })).toBe(true);
  expect(namesFields({ text: `const rules = { ${fewKeys}, nested: { ${keys[0]} } };` })).toBe(
    false,
  );
  expect(namesFields({ text: `const tests = new Map([${fewPairs}]);` })).toBe(false);
  expect(namesFields({ text: `type Fields = { ${names.join(": number; ")}: number };` })).toBe(
    false,
  );
  expect(namesFields({ text: `const { ${names} } = body;` })).toBe(false);
});

test("each field is in one row", () => {
  const rows = Object.values(fieldTables).flatMap((table) => Object.keys(table));
  expect(rows.filter((name, at) => rows.indexOf(name) !== at)).toEqual([]);
});
