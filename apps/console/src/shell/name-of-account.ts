// What an account is called on screen: a personal one has the name of nobody but its person.

type Named = { readonly kind: "personal" | "organization"; readonly name: string };

export function nameOfAccount({ kind, name }: Named): string {
  return kind === "personal" ? "Personal account" : name;
}
