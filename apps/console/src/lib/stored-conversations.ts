// Where the browser stores Playground conversations, and how they are deleted when the person signs out
// or the session ends.

const prefix = "playground.";

export function conversationsKey(accountId: string): string {
  return prefix + accountId;
}

/** Those of every account that was signed in here. */
export function forgetConversations(): void {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index));
    for (const key of keys) if (key?.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Without storage nothing was saved.
  }
}

/** After signing out: a full page load, so that nothing of this person stays in memory or in the browser. */
export function leaveConsole(): void {
  forgetConversations();
  location.assign("/login");
}
