// What a person may change about themselves without further proof.

import { Fault, findTimeZone, type PersonId, parseName } from "@turnpike/base";
import { type Db, persons } from "@turnpike/db";
import { nameCharsMax } from "@turnpike/terms";
import { and, eq, isNull } from "drizzle-orm";

/** Throws `invalid_value` with `param`. An empty time zone follows the browser. */
export async function updateProfile(
  db: Db,
  personId: PersonId,
  input: { readonly name?: string | undefined; readonly timeZone?: string | undefined },
): Promise<void> {
  const changes = {
    ...(input.name !== undefined && { name: parsePersonName(input.name) }),
    ...(input.timeZone !== undefined && { timeZone: parseTimeZone(input.timeZone) }),
  };
  if (Object.keys(changes).length === 0) return;
  const isPresent = isNull(persons.deletedAt);
  await db
    .update(persons)
    .set(changes)
    .where(and(eq(persons.id, personId), isPresent));
}

/** May be empty. Throws `invalid_value`. */
export function parsePersonName(text: string): string {
  const message = `A name has at most ${nameCharsMax.person} printable characters.`;
  return parseName(text, { charsMax: nameCharsMax.person, mayBeEmpty: true, message });
}

function parseTimeZone(text: string): string {
  if (text === "") return text;
  const zone = findTimeZone(text);
  if (zone !== undefined) return zone;
  const message = "Unknown time zone. Use an IANA name such as Europe/Vienna.";
  throw new Fault("invalid_value", message, { param: "timeZone" });
}
