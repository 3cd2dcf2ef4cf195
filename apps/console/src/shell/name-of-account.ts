// What an account is called on screen: a personal one has the name of nobody but its person.

type Named = {
  readonly kind: "personal" | "organization";
  readonly name: string;
  /** Somebody else's: an operator looks at it. */
  readonly view?: object | null;
};

export function nameOfAccount({ kind, name, view }: Named): string {
  return kind === "personal" && !view ? "Personal account" : name;
}
