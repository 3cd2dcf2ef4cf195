// One link of the sidebar, the rail or the drawer.
import { A } from "@solidjs/router";
import type { Component, JSX } from "solid-js";
import { Dynamic } from "solid-js/web";

type SidebarLinkProps = {
  href: string;
  title: string;
  icon: Component<{ class: string; strokeWidth: number; "aria-hidden": "true" }>;
  isCurrent: boolean;
  /** The icon only, its name as a tooltip and for screen readers. */
  narrow: boolean;
  onChoose?: (() => void) | undefined;
  /** It is about to be chosen. */
  onApproach?: (() => void) | undefined;
};

export function SidebarLink(props: SidebarLinkProps): JSX.Element {
  return (
    <A
      href={props.href}
      end
      activeClass=""
      inactiveClass=""
      aria-current={props.isCurrent ? "page" : undefined}
      title={props.narrow ? props.title : undefined}
      class="relative flex h-8.5 items-center gap-3 rounded-control px-2.5 text-muted transition-colors before:absolute before:inset-y-2 before:start-0 before:w-[3px] before:rounded-full hover:bg-hover hover:text-text aria-[current=page]:bg-info-tint aria-[current=page]:font-medium aria-[current=page]:text-text aria-[current=page]:before:bg-brand pointer-coarse:h-11"
      classList={{ "w-9 justify-center px-0! pointer-coarse:w-11": props.narrow }}
      onPointerEnter={() => props.onApproach?.()}
      onFocus={() => props.onApproach?.()}
      onClick={() => props.onChoose?.()}
    >
      <Dynamic
        component={props.icon}
        class="size-[18px] shrink-0"
        strokeWidth={1.75}
        aria-hidden="true"
      />
      <span classList={{ "sr-only": props.narrow }}>{props.title}</span>
    </A>
  );
}
