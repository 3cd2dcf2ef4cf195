// Who invites the reader to what.
import type { JSX } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { roleNames } from "../../shell/role-names.ts";

type Invitation = Pick<Answers["invitations"]["read"], "inviter" | "accountName" | "role">;

export function Invites(props: { of: Invitation }): JSX.Element {
  return (
    <p class="wrap-anywhere">
      {props.of.inviter} invites you to join {props.of.accountName} as{" "}
      {roleNames[props.of.role].toLowerCase()}.
    </p>
  );
}
