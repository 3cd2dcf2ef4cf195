// What `text.format` may be, in a request and in the updates within its conversation.
import { functionName } from "../chat/check-tools.ts";
import { anyObject, anyText, boolean, object, tagged } from "../checks/check-value.ts";

export const textFormat = tagged("type", {
  text: anyObject,
  json_object: anyObject,
  json_schema: object({
    required: { name: functionName, schema: anyObject },
    optional: { description: anyText, strict: boolean },
  }),
});
