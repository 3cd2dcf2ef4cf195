// The sections of Settings beside the open one; on phones the list is its own page.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import { type Permission, useAccount } from "../../lib/session.ts";
import { pageNames } from "../../shell/page-names.ts";
import {
  Bell,
  Building,
  ChevronLeft,
  ChevronRight,
  Eye,
  KeyRound,
  ScrollText,
  ShieldCheck,
  SlidersHorizontal,
  User,
  Users,
  Waypoints,
} from "../../ui/icons.ts";
import { usePhone } from "../../ui/layout/use-media.ts";

type Section = {
  readonly id: keyof typeof pageNames;
  /** After `/settings/`. */
  readonly path: string;
  readonly icon: typeof User;
  readonly needs?: Permission;
  /** Not in a personal account. */
  readonly shared?: true;
};

const sections: readonly Section[] = [
  { id: "profile", path: "profile", icon: User },
  { id: "security", path: "security", icon: ShieldCheck },
  { id: "notifications", path: "notifications", icon: Bell, needs: "money.read" },
  { id: "organization", path: "organization", icon: Building, shared: true },
  { id: "members", path: "members", icon: Users },
  { id: "managementKeys", path: "management-keys", icon: KeyRound, needs: "management.read" },
  { id: "guardrails", path: "guardrails", icon: SlidersHorizontal, needs: "guardrails.read" },
  { id: "privacy", path: "privacy", icon: Eye, needs: "projects.read" },
  { id: "audit", path: "audit-log", icon: ScrollText, needs: "audit.read" },
  { id: "webhooks", path: "webhooks", icon: Waypoints, needs: "webhooks.read" },
];

/** `wide`: as wide as the window, for a table. */
export function SettingsFrame(props: { wide?: boolean; children: JSX.Element }): JSX.Element {
  const phone = usePhone();
  return (
    <Show
      when={phone()}
      fallback={
        <div
          class="grid gap-6 lg:gap-10"
          classList={{
            "lg:grid-cols-[12rem_minmax(0,1fr)]": props.wide === true,
            "lg:grid-cols-[12rem_minmax(0,44rem)]": props.wide !== true,
          }}
        >
          <SettingsSections />
          <div class="flex min-w-0 flex-col gap-6">{props.children}</div>
        </div>
      }
    >
      <A href="/settings" class="mb-4 inline-flex min-h-11 items-center gap-1 text-link">
        <ChevronLeft class="size-4" aria-hidden="true" />
        Settings
      </A>
      <div class="flex min-w-0 flex-col gap-5">{props.children}</div>
    </Show>
  );
}

export function SettingsSections(): JSX.Element {
  const phone = usePhone();
  const account = useAccount();
  const shown = () =>
    sections.filter(
      ({ needs, shared }) =>
        (needs === undefined || account()?.permissions[needs] !== undefined) &&
        (shared !== true || account()?.kind === "organization"),
    );
  return (
    <nav aria-label="Settings sections">
      <ul class="flex gap-1 sm:flex-wrap max-sm:flex-col max-sm:divide-y max-sm:divide-border max-sm:rounded-card max-sm:border max-sm:border-border lg:flex-col">
        <For each={shown()}>
          {(section) => (
            <li>
              <A
                href={`/settings/${section.path}`}
                activeClass=""
                inactiveClass=""
                class="flex h-9 items-center gap-2.5 rounded-control px-3 text-muted transition-colors hover:bg-hover hover:text-text max-sm:h-12 max-sm:text-text aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-text pointer-coarse:min-h-11"
              >
                <Dynamic component={section.icon} class="size-4" aria-hidden="true" />
                {pageNames[section.id]}
                <Show when={phone()}>
                  <ChevronRight class="ms-auto size-4 text-muted" aria-hidden="true" />
                </Show>
              </A>
            </li>
          )}
        </For>
      </ul>
    </nav>
  );
}
