// The role of the operator who is signed in; the server decides, this shows only what works.
import type { Accessor } from "solid-js";
import { useMe } from "../../lib/session.ts";

export type OperatorMay = {
  readonly support: Accessor<boolean>;
  readonly finance: Accessor<boolean>;
};

export function useOperatorMay(): OperatorMay {
  const me = useMe();
  const role = () => me.data?.person.operatorRole;
  return {
    support: () => role() === "owner" || role() === "support",
    finance: () => role() === "owner" || role() === "finance",
  };
}
