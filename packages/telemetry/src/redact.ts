// What must never reach a log line: credentials, by the name of their field, by their shape, or by
// value. Every string is capped as well, so one hostile prompt cannot fill the disk.

const fieldBytesMax = 2048;
const itemsMax = 50;
const depthMax = 6;
const hidden = "[redacted]";

const secretNames: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "secret",
  "token",
  "session",
  "password",
  "newpassword",
  "currentpassword",
  "passwordhash",
  "stripe-signature",
  "apikey",
  "x-api-key",
  "api-key",
  "x-goog-api-key",
  "xi-api-key",
  "databaseurl",
  "directurl",
  "redisurl",
  "smtpurl",
]);

/** Written in any case, with or without underscores. */
function isSecretName(name: string): boolean {
  return name.length < 40 && secretNames.has(name.toLowerCase().replaceAll("_", ""));
}

/** A JSON member whose value is a string. */
const textMember = /"([\w-]{1,40})":"(?:[^"\\]|\\.)*"/g;

/** Our keys, the well-known shapes of provider keys, bearer values and passwords inside URLs. */
const secretShapes: readonly (readonly [RegExp, string])[] = [
  [/sk-tp-[0-9A-Za-z]+/g, "sk-tp-[redacted]"],
  [/\b(?:sk|rk|pk|whsec|gsk|xai|fw|tgp)[-_][0-9A-Za-z_-]{16,}/g, hidden],
  [/\bAIza[0-9A-Za-z_-]{20,}/g, hidden],
  [/\b(bearer|basic) +[0-9A-Za-z._~+/=-]{8,}/gi, `$1 ${hidden}`],
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@"]{0,100}):[^\s@"]{1,200}@/gi, `$1:${hidden}@`],
];

/** Hides credentials by shape, and each of `secrets` by value, in any text. */
export function redactText(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const secret of secrets) redacted = redacted.replaceAll(secret, hidden);
  for (const [shape, replacement] of secretShapes) redacted = redacted.replace(shape, replacement);
  return redacted;
}

/** The same for a line of JSON, where members named like credentials are emptied too. */
export function redactLine(line: string, secrets: readonly string[]): string {
  const emptied = line.replace(textMember, (member, name: string) =>
    isSecretName(name) ? `"${name}":"${hidden}"` : member,
  );
  return redactText(emptied, secrets);
}

/** At most 2 KB of a string; what was left out is counted. */
export function capText(text: string): string {
  if (text.length <= fieldBytesMax) return text;
  return `${text.slice(0, fieldBytesMax)}… (${text.length - fieldBytesMax} more)`;
}

/** A loggable copy: credentials emptied by name, strings capped, bigint as text, depth bounded. */
export function cleanFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return cleanObject(fields, 0);
}

function cleanObject(value: object, depth: number): Record<string, unknown> {
  const cleaned: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value).slice(0, itemsMax)) {
    cleaned[name] = isSecretName(name) ? hidden : cleanValue(member, depth + 1);
  }
  return cleaned;
}

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return capText(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (depth > depthMax) return "[deep]";
  if (value instanceof Error) return cleanError(value, depth);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) {
    return value.slice(0, itemsMax).map((item) => cleanValue(item, depth + 1));
  }
  return cleanObject(value, depth);
}

/** Copies only what is safe in an error; a database error also carries its query's parameters. */
function cleanError(error: Error, depth: number): Record<string, unknown> {
  const cleaned: Record<string, unknown> = {
    type: error.name,
    message: capText(dropParameters(error.message)),
    stack: capText(dropParameters(error.stack ?? "")),
  };
  if ("code" in error && typeof error.code === "string") cleaned.code = error.code;
  if (error.cause !== undefined) cleaned.cause = cleanValue(error.cause, depth + 1);
  return cleaned;
}

/** Drizzle appends `params: …` to the message of a failed query: emails, hashes, prompts. */
function dropParameters(text: string): string {
  return text.replace(/\nparams: [\s\S]*?(?=\n {4}at |$)/g, `\nparams: ${hidden}`);
}
