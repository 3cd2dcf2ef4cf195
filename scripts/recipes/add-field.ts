// "Add a request field" with one that no API has.
import type { Recipe } from "./recipe.ts";

export const addField: Recipe = {
  title: "Add a request field",
  edits: [
    {
      file: "service-fields.ts",
      after: "export const serviceFields: FieldTable = {",
      insert: `  weather: {
    rule: "preference",
    of: { chat: { check: oneOf(["auto", "stormy"]) } },
    listed: "always",
    schema: { description: "What the weather is like.", type: ["string", "null"] },
  },`,
    },
    {
      file: "service-fields.ts",
      before: 'from "./request-field.ts";',
      insert: 'import { oneOf } from "../checks/check-value.ts";',
    },
  ],
  generate: ["fields-doc.fixture.ts"],
};
