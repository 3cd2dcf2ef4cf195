import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import fc from "fast-check";
import { editJsonObject, findMembers, memberText, scanJsonObject } from "./edit-json-object.ts";

const edit = (raw: string, edits: Parameters<typeof editJsonObject>[2]) =>
  editJsonObject(raw, scanJsonObject(raw), edits);

function refusalOf(raw: string): string {
  try {
    scanJsonObject(raw);
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown.code;
    throw thrown;
  }
  return "accepted";
}

/** JSON objects printed with odd spacing, escaped keys and strings full of structure. */
const keys = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("model", "n", "__proto__", 'quo"te', "back\\slash", "{[,:]}"),
);
const spaces = fc.constantFrom("", " ", "\n  ", "\t\r\n");
const printed = fc
  .uniqueArray(fc.tuple(keys, fc.json({ maxDepth: 3 }), spaces), {
    selector: ([key]) => key,
    maxLength: 8,
  })
  .map((entries) => {
    const members = entries.map(([key, value, gap]) => {
      const name = JSON.stringify(key).replaceAll("m", "\\u006d");
      return `${gap}${name}${gap}:${gap}${value}${gap}`;
    });
    return { raw: ` {${members.join(",")}} `, entries };
  });

test("the members of any object are found with their exact text", () => {
  fc.assert(
    fc.property(printed, ({ raw, entries }) => {
      const members = scanJsonObject(raw);
      expect(members.map((member) => member.key)).toEqual(entries.map(([key]) => key));
      for (const [key, value] of entries) expect(memberText(raw, members, key)).toBe(value);
    }),
  );
});

test("an edit changes what it names and leaves every other member's text unchanged", () => {
  fc.assert(
    fc.property(printed, fc.constantFrom("model", "n", "absent"), ({ raw, entries }, key) => {
      const edited = edit(raw, { set: { [key]: "[1, 2]" }, remove: ["__proto__"] });
      JSON.parse(edited);
      const members = scanJsonObject(edited);
      const wanted = entries.filter(([name]) => name !== "__proto__");
      for (const [name, value] of wanted) {
        expect(memberText(edited, members, name)).toBe(name === key ? "[1, 2]" : value);
      }
      expect(memberText(edited, members, key)).toBe("[1, 2]");
      expect(members.length).toBe(wanted.length + (wanted.some(([name]) => name === key) ? 0 : 1));
    }),
  );
});

test("int64 seeds, spacing, key order and __proto__ keys survive an edit", () => {
  const raw = '{ "seed" : 9007199254740993 ,\n "model":"a", "__proto__": {"b": 1.50}, "n":1 }';
  expect(edit(raw, { set: { model: '"b/c"' } })).toBe(raw.replace('"a"', '"b/c"'));
});

test("members are appended to, and removed from, objects of any size", () => {
  expect(edit("{ }", { set: { n: "1" } })).toBe('{"n":1 }'.replace(" ", ""));
  expect(edit('{"a":1}', { set: { b: "2" } })).toBe('{"a":1,"b":2}');
  expect(edit('{"a":1, "b":2, "c":3}', { remove: ["a", "c"] })).toBe('{"b":2}');
  expect(edit('{"a":1, "b":2, "c":3}', { remove: ["b"] })).toBe('{"a":1,"c":3}');
  expect(edit('{"a":1}', { remove: ["a"] })).toBe("{}");
});

test("only the last occurrence of a repeated key is kept, however it is spelled", () => {
  const raw = '{"model":"cheap","n":1,"mod\\u0065l":"dear"}';
  expect(edit(raw, {})).toBe('{"n":1,"mod\\u0065l":"dear"}');
  expect(edit(raw, { set: { model: '"x"' } })).toBe('{"n":1,"mod\\u0065l":"x"}');
});

test("nesting of 64 is accepted and of 65 is refused", () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}[]${"}".repeat(depth - 1)}`;
  expect(refusalOf(nested(64))).toBe("accepted");
  expect(refusalOf(nested(65))).toBe("invalid_json");
  expect(refusalOf("[".repeat(100_000))).toBe("invalid_json");
});

test("ten thousand keys are accepted and one more is refused, brackets in strings do not count", () => {
  const withKeys = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"${index}[{:,":0`).join(",")}}`;
  expect(refusalOf(withKeys(10_000))).toBe("accepted");
  expect(refusalOf(withKeys(10_001))).toBe("invalid_json");
  expect(refusalOf(`[${"0,".repeat(250_001)}0]`)).toBe("invalid_json");
});

test("what no caller wrote has members at any size", () => {
  const wide = JSON.stringify(Array.from({ length: 10_001 }, (_, at) => ({ at })));
  const deep = `${"[".repeat(1_000)}${"]".repeat(1_000)}`;
  const json = `{"wide":${wide},"deep":${deep},"last":1}`;
  const members = findMembers(json);
  expect(members.map(({ key }) => key)).toEqual(["wide", "deep", "last"]);
  expect(memberText(json, members, "deep")).toBe(deep);
});
