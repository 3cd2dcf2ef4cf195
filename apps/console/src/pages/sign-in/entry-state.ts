// What one sign-in page passes to the next, in the history entry rather than the URL: it survives a reload
// and reaches no log.
import { useLocation } from "@solidjs/router";

const notices = ["verified", "already", "reset", "resetKeys", "unlocked"] as const;

export type EntryState = {
  readonly email?: string;
  readonly notice?: (typeof notices)[number];
  /** The session ended while the console was open. */
  readonly expired?: boolean;
};

export function useEntryState(): EntryState {
  const state: unknown = useLocation().state;
  if (typeof state !== "object" || state === null) return {};
  const { email, notice, expired } = { email: "", notice: "", expired: false, ...state };
  const known = notices.find((name) => name === notice);
  return {
    ...(typeof email === "string" && email !== "" && { email }),
    ...(known !== undefined && { notice: known }),
    expired: expired === true,
  };
}
