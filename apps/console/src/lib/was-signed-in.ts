// Whether this browser was signed in last time. Only a guess for the first paint, before the API has
// answered; it shows no data and grants nothing.
import { readStored, writeStored } from "./stored-text.ts";

const storageKey = "was-signed-in";

export function wasSignedIn(): boolean {
  return readStored(storageKey) !== undefined;
}

export function rememberSignedIn(signedIn: boolean): void {
  writeStored(storageKey, signedIn ? "yes" : undefined);
}
