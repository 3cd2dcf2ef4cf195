// Reads a form as Stripe's clients send it (`a[b][0]=x`) into nested objects; every value stays text.

export type Form = { [name: string]: string | Form };

export function parseForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== "");
    const last = path.pop();
    if (last === undefined) continue;
    let place = form;
    for (const part of path) {
      const next = place[part];
      if (typeof next === "object") place = next;
      else {
        const made: Form = {};
        place[part] = made;
        place = made;
      }
    }
    place[last] = value;
  }
  return form;
}

/** The text at a path; undefined if there is none. */
export function textAt(form: Form, ...path: readonly string[]): string | undefined {
  let place: string | Form | undefined = form;
  for (const part of path) place = typeof place === "object" ? place[part] : undefined;
  return typeof place === "string" ? place : undefined;
}

/** The texts of an object at a name. */
export function textsAt(form: Form, name: string): Record<string, string> {
  const place = form[name];
  if (typeof place !== "object") return {};
  return Object.fromEntries(
    Object.entries(place).flatMap(([key, value]) =>
      typeof value === "string" ? [[key, value]] : [],
    ),
  );
}
