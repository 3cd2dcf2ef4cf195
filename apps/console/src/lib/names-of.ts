// The names of a table, which `Object.keys` forgets.

/** In its order. Guarantee: a table is an object literal, which has exactly the keys of its type. */
export function namesOf<Name extends string>(
  table: Readonly<Record<Name, unknown>>,
): readonly Name[] {
  return Object.keys(table) as Name[];
}
