// The sections of the operator's desk above the open one.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For } from "solid-js";

const sections = [
  { href: "/operator", label: "Find" },
  { href: "/operator/models", label: "Models and routes" },
  { href: "/operator/catalog", label: "Catalog" },
  { href: "/operator/money", label: "Money" },
  { href: "/operator/incidents", label: "Incidents" },
  { href: "/operator/system", label: "System" },
] as const;

export function OperatorFrame(props: { children: JSX.Element }): JSX.Element {
  return (
    <div class="flex flex-col gap-5">
      <nav aria-label="Operator's desk">
        <ul class="flex flex-wrap gap-1">
          <For each={sections}>
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
