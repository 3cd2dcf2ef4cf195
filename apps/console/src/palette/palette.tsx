// Jumps to a page from anywhere.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { navPages } from "../pages.ts";
import { t } from "../texts/shell.ts";
import { Dialog } from "../ui/dialog.tsx";

export default function Palette(props: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}): JSX.Element {
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title={t("shell.search")}>
      <ul>
        <For each={navPages}>
          {(page) => (
            <li>
              <A
                href={page.nav.href ?? page.path}
                class="flex h-10 items-center rounded-control px-3 hover:bg-hover"
                onClick={() => props.onOpenChange(false)}
              >
                {t(`page.${page.id}`)}
              </A>
            </li>
          )}
        </For>
      </ul>
    </Dialog>
  );
}
