// The fields of a moderation request.
import { emptyArray, tooMany, wrongType } from "../../checks/body-fault.ts";
import { rule } from "../../checks/check-value.ts";
import { withCommonFields } from "./operation-field.ts";

const inputsMax = 2_048;

const input = rule({ text: {}, list: { minItems: 1, maxItems: inputsMax } }, (value, path) => {
  if (typeof value === "string") return;
  if (!Array.isArray(value)) throw wrongType(path, "a string or an array", value);
  if (value.length === 0) throw emptyArray(path);
  if (value.length > inputsMax) throw tooMany(path, inputsMax, value.length);
});

export const moderationFields = withCommonFields({ input: { check: input } });
