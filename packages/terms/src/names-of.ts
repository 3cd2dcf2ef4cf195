// The names in a table, in its order. A table that is declared with its keys has no others, so that the type holds.

export function namesOf<Name extends string>(
  table: Readonly<Record<Name, unknown>>,
): readonly [Name, ...Name[]] {
  return Object.keys(table) as [Name, ...Name[]];
}
