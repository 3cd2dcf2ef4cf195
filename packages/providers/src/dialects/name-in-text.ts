// The name of a participant where a provider has no field for it: a prefix of what the participant says, as OpenRouter
// shows it to such models.
import { type JsonObject, parseText } from "@turnpike/base";

/** `content` itself without a name; `type` is that of a part with text. */
export function nameInText(
  name: unknown,
  content: string | JsonObject[],
  type: string,
): string | JsonObject[] {
  const participant = parseText(name);
  if (participant === undefined) return content;
  if (typeof content === "string") return `${participant}: ${content}`;
  const at = content.findIndex((part) => part.type === type);
  const part = content[at];
  return part === undefined
    ? [{ type, text: `${participant}:` }, ...content]
    : content.with(at, { ...part, text: `${participant}: ${String(part.text)}` });
}
