// Every form of the desk can be drawn: what the console gets of a verb is plain data that says what each field takes.
import { expect, test } from "bun:test";
import { z } from "zod";
import { describeVerb } from "./describe-verb.ts";
import { idInput, limitInput, line, signedUsdInput } from "./inputs.ts";
import { command, everyone } from "./verb.ts";
import { verbNames, verbOf } from "./verbs.ts";

test("a verb is described by its name, its summary and its fields", () => {
  const verb = command({
    roles: everyone,
    summary: "limits a key",
    input: {
      id: idInput(),
      usd: signedUsdInput.optional(),
      perMinute: limitInput.optional(),
      period: z.enum(["day", "month"]),
      days: z.number().int().min(1).max(90).optional(),
      isHard: z.boolean().optional(),
      kinds: z.array(z.enum(["call", "mail"])).optional(),
      text: line(12),
      idempotencyKey: line(100).optional(),
    },
    run: async () => ({}),
  });
  const { fields, ...form } = describeVerb("key.setLimit", verb);
  expect(form).toEqual({
    name: "key.setLimit",
    label: "Set limit",
    summary: "limits a key",
    changes: true,
    destroys: false,
    secret: undefined,
  });
  expect(
    fields.map(({ name, label, kind, isOptional }) => [name, label, kind, isOptional]),
  ).toEqual([
    ["id", "Id", "text", false],
    ["usd", "Amount in USD", "usd", true],
    ["perMinute", "Per minute", "text", true],
    ["period", "Period", "choice", false],
    ["days", "Days", "number", true],
    ["isHard", "Is hard", "flag", true],
    ["kinds", "Kinds", "list", true],
    ["text", "Text", "text", false],
    ["idempotencyKey", "Idempotency key", "idempotencyKey", true],
    ["reason", "Reason", "text", false],
  ]);
  const of = (name: string) => fields.find((field) => field.name === name);
  expect(of("period")?.choices).toEqual(["day", "month"]);
  expect(of("kinds")?.choices).toEqual(["call", "mail"]);
  expect(of("text")?.charsMax).toBe(12);
  expect(of("perMinute")?.hint).toBe("A whole number, or none.");
});

test("every verb of the table can be described, as JSON", () => {
  for (const name of verbNames) {
    const verb = verbOf(name);
    const form = verb && describeVerb(name, verb);
    expect(form?.fields.map((field) => field.name)).toEqual(Object.keys(verb?.input.shape ?? {}));
    expect(JSON.parse(JSON.stringify(form))).toMatchObject({ name });
  }
});

test("the limits of a key are named with their unit, and each says what to write", () => {
  const verb = verbOf("key.setLimits");
  const fields = verb ? describeVerb("key.setLimits", verb).fields : [];
  expect(fields.find(({ name }) => name === "dayUsd")?.label).toBe("Day limit in USD");
  const unexplained = fields.filter(({ hint }) => hint === undefined).map(({ name }) => name);
  expect(unexplained).toEqual(["id", "reason"]);
});

test("what deletes is asked as a destructive question, and a new key is shown as a secret", () => {
  const forms = verbNames.map((name) => {
    const verb = verbOf(name);
    return verb && describeVerb(name, verb);
  });
  const destroying = forms.filter((form) => form?.destroys).map((form) => form?.name);
  expect(destroying.sort()).toEqual([
    "account.close",
    "batch.cancel",
    "member.remove",
    "person.requestDeletion",
  ]);
  const secrets = forms.flatMap((form) => (form?.secret ? [[form.name, form.secret]] : []));
  expect(secrets).toEqual([["key.create", "key"]]);
});
