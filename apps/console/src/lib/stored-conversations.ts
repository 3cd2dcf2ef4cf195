// Where the browser keeps conversations of the Playground, and how they leave it: with the person who
// signs out, or whose session has ended.

const prefix = "playground.";

export function conversationsKey(accountId: string): string {
  return prefix + accountId;
}

/** Of every account that was signed in here. */
export function forgetConversations(): void {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index));
    for (const key of keys) if (key?.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Without storage nothing was kept.
  }
}
