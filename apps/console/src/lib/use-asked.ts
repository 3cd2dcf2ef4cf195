// What an address asks its page to begin: `?do=set-budget`, and of what, `&of=`. Begun once: the address forgets it, so
// that a reload does not begin it again.
import { useSearchParams } from "@solidjs/router";
import { type Accessor, createEffect, untrack } from "solid-js";
import type { PageActionId } from "./page-actions.ts";

/** Changes of one key or member, which its page has as a menu. */
export type ChangeId =
  | `key-${"edit" | "move" | "rotate" | "revoke"}`
  | `member-${"role" | "projects" | "offer" | "remove"}`;

/** `ready`: what it is begun with has loaded. The page decides who may. */
export function useAsked(
  what: PageActionId | ChangeId,
  begin: (of: string | undefined) => void,
  ready: Accessor<boolean> = () => true,
): void {
  const [search, setSearch] = useSearchParams<{ do?: string; of?: string }>();
  createEffect(() => {
    if (search.do !== what || !ready()) return;
    const { of } = search;
    setSearch({ do: undefined, of: undefined }, { replace: true });
    untrack(() => begin(of));
  });
}
