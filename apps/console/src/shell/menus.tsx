// The menus at the end of the top bar, in a lazy chunk that loads after the page.
import type { JSX } from "solid-js";
import { AccountMenu } from "./account-menu.tsx";
import { HelpMenu } from "./help-menu.tsx";

export default function Menus(props: { onShortcuts: () => void }): JSX.Element {
  return (
    <>
      <HelpMenu {...props} />
      <AccountMenu />
    </>
  );
}
