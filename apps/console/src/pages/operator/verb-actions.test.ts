// The desk draws a verb that it has never heard of: it offers it at the object the verb is about, asks for what it takes
// besides, and sends that as the verb takes it.
import { expect, test } from "bun:test";
import {
  concerns,
  type DeskObject,
  fieldOf,
  parseField,
  type VerbForm,
  verbAction,
} from "./verb-actions.ts";

type Field = VerbForm["fields"][number];

function field(name: string, more: Partial<Field> = {}): Field {
  return { name, label: name, kind: "text", isOptional: false, ...more };
}

const verb = (name: string, ...fields: string[]): VerbForm => ({
  name,
  label: name,
  summary: "does it",
  changes: true,
  destroys: false,
  fields: [...fields, "reason"].map((one) => field(one)),
});

const account: DeskObject = { name: "Acme", by: "account", known: { account: "a" } };
const member: DeskObject = {
  name: "ada@example.com",
  nouns: ["member", "operator", "person"],
  by: "email",
  known: { account: "a", email: "ada@example.com", member: "ada@example.com" },
};
const key: DeskObject = { name: "sk-tp-1", nouns: ["key"], by: "id", known: { id: "k" } };

test.each([
  [verb("account.export", "account"), [account]],
  [verb("key.create", "account", "name"), [account]],
  [verb("member.remove", "account", "member", "keys"), [member]],
  [verb("person.ban", "email"), [member]],
  [verb("account.create", "email"), []],
  [verb("key.limit", "id", "usd"), [key]],
  [verb("webhook.retry", "account", "id"), []],
  [{ ...verb("account.show", "account"), changes: false }, []],
])("$name is offered at what it is about", (form, objects) => {
  expect([account, member, key].filter((of) => concerns(form, of))).toEqual(objects);
});

test("a value is sent as the verb takes it, and an optional one that is empty is left out", () => {
  expect(parseField(field("usd", { kind: "usd" }), " $1,000.50 ")).toBe("1000.50");
  expect(parseField(field("days", { kind: "number" }), "7")).toBe(7);
  expect(parseField(field("isHard", { kind: "flag" }), "yes")).toBe(true);
  expect(parseField(field("isHard", { kind: "flag" }), "")).toBe(false);
  expect(parseField(field("kinds", { kind: "list" }), "call, mail")).toEqual(["call", "mail"]);
  expect(parseField(field("text", { isOptional: true }), " ")).toBeUndefined();
  expect(parseField(field("text"), "")).toBe("");
});

test("a closed set is chosen from, with a choice of none where it may be left out", () => {
  const role = field("role", { kind: "choice", choices: ["owner", "read_only"] });
  const values = (of: typeof role) => {
    const drawn = fieldOf(of);
    return drawn.kind === "select" ? drawn.choices.map(({ value, label }) => [value, label]) : [];
  };
  expect(values(role)).toEqual([
    ["owner", "owner"],
    ["read_only", "read only"],
  ]);
  expect(values({ ...role, isOptional: true })[0]).toEqual(["", "—"]);
});

test("the dialog says who reads the reason, and asks a destructive question where something is deleted", () => {
  const removal = { ...verb("member.remove", "account", "member", "keys"), destroys: true };
  const action = verbAction(removal, member);
  expect(action.destroys).toBe(true);
  expect(action.fields?.map(({ name }) => name)).toEqual(["keys"]);
  // Without one, the dialog says that the account reads it.
  expect(action.reasonHint).toBeUndefined();
  expect(verbAction(verb("person.ban", "email"), member).reasonHint).toBe(
    "It is recorded with what you do.",
  );
});
