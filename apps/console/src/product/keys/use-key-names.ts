// The keys of the account, revoked ones too: filters name them, and old requests still belong to them.
import type { Accessor } from "solid-js";
import { api } from "../../lib/api.ts";
import { useAnswer } from "../../lib/use-query.ts";
import type { Key } from "./key-spend.tsx";

/** Empty while loading: the page does not wait for names. */
export function useKeyNames(): Accessor<readonly Key[]> {
  const query = useAnswer(["keys", "list", true], (call) =>
    api.keys.list.query({ includeRevoked: true }, call),
  );
  return () => query.data ?? [];
}
