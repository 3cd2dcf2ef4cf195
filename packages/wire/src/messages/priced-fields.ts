// The fields of an Anthropic request that change its price beyond tokens: tools that Anthropic runs,
// faster or regional inference, cache entries that live for an hour.
import { isObject, type JsonObject } from "@turnpike/base";
import type { PriceChange } from "../chat/price-changing-fields.ts";
import { columnOf } from "../fields/field-table.ts";
import { isClientTool } from "./tool-kinds.ts";

const tests = columnOf(({ of }) => of.messages?.price);

/** Their names; a tool by its position and its type. */
export function pricedFields(body: JsonObject): PriceChange[] {
  const changes: PriceChange[] = [];
  for (const name in body) {
    const value = body[name];
    if ((value ?? null) !== null && tests.get(name)?.(value)) changes.push({ kind: "field", name });
  }
  if (!Array.isArray(body.tools)) return changes;
  body.tools.forEach((tool: unknown, index) => {
    if (!isObject(tool) || isClientTool(tool)) return;
    changes.push({ kind: "member", name: `tools[${index}].${String(tool.type)}` });
  });
  return changes;
}

/** Path of the first cache mark with a lifetime other than five minutes. */
export function findLongCache(value: unknown, path = ""): string | undefined {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = findLongCache(item, `${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const dot = path === "" ? "" : ".";
  const mark = value.cache_control;
  if (isObject(mark) && (mark.ttl ?? "5m") !== "5m") return `${path}${dot}cache_control.ttl`;
  for (const name of ["system", "messages", "tools", "content", "source"]) {
    const found = findLongCache(value[name], `${path}${dot}${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
