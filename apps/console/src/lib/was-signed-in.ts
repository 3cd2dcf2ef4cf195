// Whether this browser was signed in last time. Only a guess for the first paint, before the API has
// answered; it shows no data and grants nothing.

const storageKey = "was-signed-in";

export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null;
  } catch {
    return false;
  }
}

export function rememberSignedIn(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(storageKey, "yes");
    else localStorage.removeItem(storageKey);
  } catch {
    // Without storage the first paint is the public frame.
  }
}
