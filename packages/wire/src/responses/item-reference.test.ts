// References to items of earlier answers: the items take their places and all other bytes stay, and what they
// amount to is known before it is built.
import { expect, test } from "bun:test";
import { findReferences } from "./item-reference.ts";

const mebibyte = 1024 * 1024;
const items = new Map([
  ["msg_1", '{"type":"message","role":"assistant","content":"Hi"}'],
  ["rs_1", '{"id":"rs_1","type":"reasoning","summary":[]}'],
]);

const bodyOf = (...input: readonly object[]) => JSON.stringify({ model: "m", input });
const reference = (id: string) => ({ type: "item_reference", id });

test("items take the places of their references, and nothing else changes", () => {
  const raw = `{"input": [ {"role":"user", "content":"a\\u00e9", "n":1.50},
    {"type":"item_reference","id":"rs_1"}, {"id" : "msg_1"},{"n":12345678901234567890}] , "model":"m"}`;
  const references = findReferences(raw);
  expect([...(references?.ids ?? [])]).toEqual(["rs_1", "msg_1"]);
  expect(references?.resolve(items, mebibyte)).toBe(
    raw
      .replace('{"type":"item_reference","id":"rs_1"}', String(items.get("rs_1")))
      .replace('{"id" : "msg_1"}', String(items.get("msg_1"))),
  );
});

test.each([{ id: "msg_1" }, { id: "msg_1", type: null }, { type: null, id: "msg_1" }])(
  "the type of a reference may be missing or null: %j",
  (item) => {
    expect(findReferences(bodyOf(item))?.resolve(items, mebibyte)).toBe(
      `{"model":"m","input":[${items.get("msg_1")}]}`,
    );
  },
);

test.each([
  ["text that names the type", bodyOf({ role: "user", content: '"item_reference"' })],
  ["items with an id and more", bodyOf({ id: "msg_1", type: "message", role: "assistant" })],
  ["an id elsewhere", JSON.stringify({ input: "hi", metadata: { id: "msg_1" } })],
])("%s is no reference", (_, raw) => {
  expect(findReferences(raw)).toBeUndefined();
});

test("an unknown item is refused as at OpenAI, with advice on what to do", () => {
  const resolve = () => findReferences(bodyOf(reference("msg_2")))?.resolve(items, mebibyte);
  expect(resolve).toThrow(
    expect.objectContaining({
      code: "not_found",
      details: { param: "input", quoted: "msg_2" },
      message: expect.stringMatching(/^Item with id 'msg_2' not found\..*24 hours.*'store: false'/),
    }),
  );
});

test("a reference to unknown reasoning stays: models can do without it", () => {
  const raw = bodyOf(reference("rs_2"), reference("msg_1"));
  const resolved = findReferences(raw)?.resolve(items, mebibyte);
  expect(JSON.parse(resolved ?? "")).toMatchObject({
    input: [reference("rs_2"), { role: "assistant" }],
  });
});

test("thousands of references to a large item are not resolved beyond the limit", () => {
  const large = new Map([["msg_1", JSON.stringify({ content: "x".repeat(mebibyte) })]]);
  const raw = bodyOf(...Array.from({ length: 9_000 }, () => reference("msg_1")));
  expect(findReferences(raw)?.resolve(large, 20 * mebibyte)).toBeUndefined();
  const few = bodyOf(...Array.from({ length: 19 }, () => reference("msg_1")));
  expect(findReferences(few)?.resolve(large, 20 * mebibyte)?.length).toBeGreaterThan(19 * mebibyte);
});

test("the size of the request is counted in bytes of UTF-8", () => {
  const wide = new Map([["msg_1", '"€€€€€€€€€€"']]);
  const raw = bodyOf(reference("msg_1"));
  const bytes = Buffer.byteLength(raw) + 32;
  const references = findReferences(raw);
  expect(references?.resolve(wide, bytes - 1)).toBeUndefined();
  expect(references?.resolve(wide, bytes)).toBeDefined();
});

test("a request may look up 2,000 items", () => {
  const raw = (count: number) =>
    bodyOf(...Array.from({ length: count }, (_, index) => reference(`msg_${index}`)));
  expect(findReferences(raw(2_000))?.ids.size).toBe(2_000);
  expect(() => findReferences(raw(2_001))).toThrow("2,001");
});
