// Settings that a conversation changes in its course. Of each, the last update applies to the answer that is
// asked for, so the updates themselves are of no use to a provider.
import { isObject, type JsonObject } from "@turnpike/base";

/** Source: `ResponseConfigurationUpdateItemParam` of OpenAI's SDK. */
export function isConfigurationUpdate(item: unknown): item is JsonObject {
  return isObject(item) && item.type === "configuration_update";
}

/** `body`, whose items were checked, with the settings in force at the end of its `input`. */
export function applyConfigurationUpdates(body: JsonObject): JsonObject {
  if (!Array.isArray(body.input)) return body;
  const updates = body.input.filter(isConfigurationUpdate);
  if (updates.length === 0) return body;
  const { effort } = lastOf(updates, "reasoning", "effort");
  const { format } = lastOf(updates, "text", "format");
  return {
    ...body,
    ...(effort !== undefined && { reasoning: { ...membersOf(body.reasoning), effort } }),
    ...(format !== undefined && { text: { ...membersOf(body.text), format } }),
  };
}

/** The last value of `member` of `setting`; null resets it. */
function lastOf(updates: readonly JsonObject[], setting: string, member: string): JsonObject {
  const values = updates.map((update) => membersOf(update[setting])[member]);
  return { [member]: values.findLast((value) => value !== undefined) };
}

function membersOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
