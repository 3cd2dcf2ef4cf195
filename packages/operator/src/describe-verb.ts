// What a verb takes, as plain data: the desk draws the form of a verb from it, so that a new verb needs no code there.
import { z } from "zod";
import type { AnyVerb } from "./verb.ts";

export type FormField = {
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly kind: "text" | "usd" | "number" | "flag" | "choice" | "list" | "idempotencyKey";
  readonly isOptional: boolean;
  readonly charsMax: number | undefined;
  /** Of a choice, and of a list whose entries are chosen. */
  readonly choices: readonly string[] | undefined;
};

export type VerbForm = {
  readonly name: string;
  readonly label: string;
  readonly summary: string;
  /** It takes a reason. */
  readonly changes: boolean;
  readonly destroys: boolean;
  /** The field of its answer that is shown once. */
  readonly secret: string | undefined;
  readonly fields: readonly FormField[];
};

/** The part of JSON Schema in which zod describes the inputs of verbs. */
const described = z.looseObject({
  type: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  maxLength: z.number().optional(),
  enum: z.array(z.string()).optional(),
  items: z.looseObject({ enum: z.array(z.string()).optional() }).optional(),
});
type Described = z.infer<typeof described>;

export function describeVerb(name: string, verb: AnyVerb): VerbForm {
  const { properties = {}, required = [] } = z.toJSONSchema(verb.input, {
    io: "input",
    unrepresentable: "any",
  });
  const fields = Object.entries(properties).map(([field, schema]) =>
    describeField(field, described.parse(schema), !required.includes(field)),
  );
  return {
    name,
    label: verb.label ?? inWords(name.slice(name.indexOf(".") + 1)),
    summary: verb.summary,
    changes: "reason" in verb.input.shape,
    destroys: verb.destroys === true,
    secret: verb.secret,
    fields,
  };
}

function describeField(name: string, schema: Described, isOptional: boolean): FormField {
  return {
    name,
    label: schema.title ?? inWords(name),
    hint: schema.description,
    kind: kindOf(name, schema),
    isOptional,
    charsMax: schema.maxLength,
    choices: schema.enum ?? schema.items?.enum,
  };
}

function kindOf(name: string, { type, format, enum: choices }: Described): FormField["kind"] {
  if (name === "idempotencyKey") return name;
  if (format === "usd") return format;
  if (choices !== undefined) return "choice";
  if (type === "boolean") return "flag";
  if (type === "array") return "list";
  return type === "integer" || type === "number" ? "number" : "text";
}

/** `requestsPerMinute` as `Requests per minute`. */
function inWords(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
