// What an account is called on screen: a personal one has the name of nobody but its person.
import { t } from "./account-texts.ts";

type Named = { readonly kind: "personal" | "organization"; readonly name: string };

export function nameOfAccount({ kind, name }: Named): string {
  return kind === "personal" ? t("account.personal") : name;
}
