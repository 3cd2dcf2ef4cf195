// The menus at the end of the top bar, in a chunk of their own: the page is there before they are.
import type { JSX } from "solid-js";
import { AccountMenu } from "./account-menu.tsx";
import { HelpMenu } from "./help-menu.tsx";

export default function Menus(): JSX.Element {
  return (
    <>
      <HelpMenu />
      <AccountMenu />
    </>
  );
}
