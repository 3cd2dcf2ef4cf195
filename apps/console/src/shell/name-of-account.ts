// What an account is called on screen: a personal one has the name of nobody but its person.
import type { AccountKind } from "@turnpike/terms";

type Named = {
  readonly kind: AccountKind;
  readonly name: string;
  /** Somebody else's: an operator looks at it. */
  readonly view?: object | null;
};

export function nameOfAccount({ kind, name, view }: Named): string {
  return kind === "personal" && !view ? "Personal account" : name;
}
