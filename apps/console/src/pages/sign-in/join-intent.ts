// That this tab was sent to sign in by the button of an invitation: back at its page, joining needs no second click. Kept
// for this tab only and for that one link, since a link alone must make nobody a member.

const storageKey = "joins";

export function rememberJoining(token: string): void {
  try {
    sessionStorage.setItem(storageKey, token);
  } catch {
    // One click more.
  }
}

/** Whether this tab was about to join by that link; only once. */
export function takeJoining(token: string): boolean {
  try {
    const remembered = sessionStorage.getItem(storageKey);
    sessionStorage.removeItem(storageKey);
    return remembered === token;
  } catch {
    return false;
  }
}
