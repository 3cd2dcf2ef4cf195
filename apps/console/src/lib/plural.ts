// Chooses the singular or the plural of a text. Texts stand beside their markup, in English, so one
// and other are all the forms there are.

/** `one` for a count of exactly one, otherwise `other`. */
export const plural = (count: number | string, one: string, other: string): string =>
  Number(count) === 1 ? one : other;
