// The open section of the operator's desk; on phones, which have no sidebar, the others are above it.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { deskSections } from "../../shell/desk-sections.ts";

export function OperatorFrame(props: { children: JSX.Element }): JSX.Element {
  return (
    <div class="flex flex-col gap-5">
      <nav aria-label="Operator's desk" class="sm:hidden">
        <ul class="flex flex-wrap gap-1">
          <For each={deskSections}>
            {({ href, label }) => (
              <li>
                <A
                  href={href}
                  end
                  activeClass=""
                  inactiveClass=""
                  class="flex h-9 items-center rounded-control px-3 text-muted transition-colors hover:bg-hover hover:text-text aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-text pointer-coarse:min-h-11"
                >
                  {label}
                </A>
              </li>
            )}
          </For>
        </ul>
      </nav>
      {props.children}
    </div>
  );
}
