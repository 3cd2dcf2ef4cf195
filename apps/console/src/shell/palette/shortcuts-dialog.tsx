// The list of keyboard shortcuts, and the switch for single-key shortcuts.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { singleKeysOn, switchSingleKeys } from "../../lib/shortcuts/shortcut-choice.ts";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Switch } from "../../ui/forms/choices.tsx";
import { pageNames } from "../page-names.ts";
import { navPages } from "../routes.ts";

type Shortcut = { readonly keys: readonly string[]; readonly does: string };
type Group = { readonly title: string; readonly shortcuts: readonly Shortcut[] };

const groups: readonly Group[] = [
  {
    title: "Everywhere",
    shortcuts: [
      { keys: ["Ctrl", "K"], does: "Search or jump" },
      { keys: ["?"], does: "Show shortcuts" },
      { keys: ["/"], does: "Search on this page" },
    ],
  },
  {
    title: "Go to",
    shortcuts: navPages.flatMap(({ id, nav }) =>
      nav.shortcut ? [{ keys: ["G", nav.shortcut.toUpperCase()], does: pageNames[id] }] : [],
    ),
  },
  {
    title: "On a page",
    shortcuts: [
      { keys: ["C"], does: "Create a key (API Keys)" },
      { keys: ["J", "K"], does: "Next and previous row (Logs)" },
      { keys: ["Enter"], does: "Send (Playground)" },
      { keys: ["Esc"], does: "Stop the answer (Playground)" },
    ],
  },
];

export default function ShortcutsDialog(props: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}): JSX.Element {
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title="Keyboard shortcuts">
      <div class="flex flex-col gap-5">
        <For each={groups}>
          {(group) => (
            <section>
              <h3 class="text-sm font-medium text-muted">{group.title}</h3>
              <dl class="mt-1 divide-y divide-border">
                <For each={group.shortcuts}>
                  {(shortcut) => (
                    <div class="flex items-center justify-between gap-4 py-1.5">
                      <dt>{shortcut.does}</dt>
                      <dd class="flex gap-1">
                        <For each={shortcut.keys}>
                          {(key) => (
                            <kbd class="inline-flex min-w-6 justify-center rounded-[4px] border border-control px-1.5 font-sans text-xs leading-5">
                              {key}
                            </kbd>
                          )}
                        </For>
                      </dd>
                    </div>
                  )}
                </For>
              </dl>
            </section>
          )}
        </For>
        <div class="border-t border-border pt-4">
          <Switch
            label="Single-key shortcuts"
            hint="Turn off if they conflict with speech input."
            checked={singleKeysOn()}
            onChange={switchSingleKeys}
          />
        </div>
      </div>
    </Dialog>
  );
}
