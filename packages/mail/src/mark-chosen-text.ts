// What of a mail people chose, and what is ours. A name is quoted and nothing that somebody chose becomes a link, wherever
// a mail says it: it may reach unknown recipients, and must not look like our own words.
import type { MailMessage } from "./mail-message.ts";
import { quoted, unlinked } from "./mail-parts.ts";

type KeysOf<Message> = Message extends unknown ? keyof Message : never;
type FieldOf<Key> = MailMessage extends infer Message
  ? Message extends { readonly [Name in Key & string]?: infer Value }
    ? Value
    : never
  : never;
/** Every field of a mail that is text, and not one of a few words of the program. */
type TextField = {
  [Key in KeysOf<MailMessage>]: string extends Exclude<FieldOf<Key>, null | undefined>
    ? Key
    : never;
}[KeysOf<MailMessage>];

/** `name` is quoted, `address` only kept from becoming a link: a mail address, a URL or a sentence with both. */
const originOf: Readonly<Record<TextField, "ours" | "name" | "address">> = {
  accountName: "name",
  keyName: "name",
  name: "name",
  subjectName: "name",
  by: "address",
  claimer: "address",
  foundAt: "address",
  identity: "address",
  invited: "address",
  inviter: "address",
  newEmail: "address",
  reason: "address",
  url: "address",
  address: "ours",
  alertUsd: "ours",
  amountUsd: "ours",
  at: "ours",
  balanceUsd: "ours",
  day: "ours",
  device: "ours",
  keyUsd: "ours",
  limitUsd: "ours",
  link: "ours",
  masked: "ours",
  model: "ours",
  modelUsd: "ours",
  place: "ours",
  provider: "ours",
  receiptUrl: "ours",
  resetLink: "ours",
  role: "ours",
  spentUsd: "ours",
  topUpLink: "ours",
  undoLink: "ours",
  usualUsd: "ours",
  whose: "ours",
};

/** The message with what people chose marked as such. A text that is empty stays empty. */
export function markChosenText<Message extends MailMessage>(message: Message): Message {
  const marked = Object.entries(message).map(([field, value]) => [field, mark(field, value)]);
  return sameFields<Message>(Object.fromEntries(marked));
}

function mark(field: string, value: unknown): unknown {
  if (typeof value !== "string" || value === "" || !Object.hasOwn(originOf, field)) return value;
  const origin = Reflect.get(originOf, field);
  if (origin === "name") return quoted(value);
  return origin === "address" ? unlinked(value) : value;
}

/** Guarantees the type: only texts were replaced, by texts. */
function sameFields<Message>(fields: object): Message {
  return fields as Message;
}
