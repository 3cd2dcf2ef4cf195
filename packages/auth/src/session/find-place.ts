// Names the approximate place of an address, by a database that the operator has configured. Only for people to
// read: no decision depends on it, and no place is stored. The only file that uses mmdb-lib.
import { Reader, type Response } from "mmdb-lib";

/** E.g. `Vienna, Austria`; empty where it is not known. */
export type FindPlace = (address: string) => string;

/** Without a database. */
export const findNoPlace: FindPlace = () => "";

type Named = { readonly names?: { readonly en?: string } };
type PlaceRecord = { readonly city?: Named; readonly country?: Named };

/** `file` is in the format of MaxMind (MMDB), with cities or countries. Throws an Error for anything else. */
export function openPlaces(file: Buffer): FindPlace {
  const reader = new Reader(file);
  return (address) => {
    const { city, country } = find(reader, address);
    return [city, country].flatMap((named) => named?.names?.en ?? []).join(", ");
  };
}

/** Nothing for what is no address, or one of IPv6 in a database without them. */
function find(reader: Pick<Reader<Response>, "get">, address: string): PlaceRecord {
  try {
    return asPlace(reader.get(address));
  } catch {
    return {};
  }
}

/** Guarantees only that it is an object: databases of other vendors have further fields, or lack some. */
function asPlace(record: unknown): PlaceRecord {
  return typeof record === "object" && record !== null ? record : {};
}
