// Finds whatever a customer quotes: what it looks like decides where to look, each time by an index. Nothing is
// searched for in the middle of a text.
import { lowerAscii, parseGenerationId, parseId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { parseUsd } from "@turnpike/terms";
import { findAccounts, findAccountsById } from "./find-accounts.ts";
import { findCallById, findCallByRequestId } from "./find-calls.ts";
import { findKeysById, findKeysByText } from "./find-keys.ts";
import { findByAmount, findByStripeId, findTopUpsById } from "./find-money.ts";
import type { Found } from "./found.ts";

type Look = (db: Db) => Promise<readonly Found[]>;

/** Empty for less than two characters. */
export async function find(db: Db, text: string): Promise<readonly Found[]> {
  const quoted = text.trim();
  if (quoted.length < 2) return [];
  const found: Found[] = [];
  for (const look of looksFor(quoted)) found.push(...(await look(db)));
  return found;
}

function looksFor(text: string): readonly Look[] {
  if (/^req_[0-9a-f]{32}$/.test(text)) return [(db) => findCallByRequestId(db, text)];
  if (/^(?:pi|cs|cus|evt)_\w+$/.test(text)) {
    return [(db) => findByStripeId(db, text)];
  }
  if (text.startsWith("sk-")) return [(db) => findKeysByText(db, text)];
  const id = parseId(lowerAscii(text));
  const generationId = parseGenerationId(text);
  return [
    ...(id === undefined
      ? []
      : [findAccountsById, findKeysById, findTopUpsById].map((look) => (db: Db) => look(db, id))),
    ...(generationId === undefined ? [] : [(db: Db) => findCallById(db, generationId)]),
    ...(id === undefined && generationId === undefined ? looksForWords(text) : []),
  ];
}

function looksForWords(text: string): readonly Look[] {
  const amount = /^\$?(\d{1,9}(?:\.\d{1,9})?)$/.exec(text)?.[1];
  const nanos = amount === undefined ? undefined : parseUsd(amount);
  return [
    ...(nanos === undefined ? [] : [(db: Db) => findByAmount(db, nanos)]),
    ...(/^[0-9A-Za-z]{4}$/.test(text) ? [(db: Db) => findKeysByText(db, text)] : []),
    (db) => findAccounts(db, text),
  ];
}
