// What a page of the console is to the shell: path, title, who may see it, its place in the navigation.
import type { Component } from "solid-js";
import type { Permission } from "../lib/session.ts";
import type { House } from "../ui/icons.ts";
import type { pageNames } from "./page-names.ts";

export type NavGroup = "top" | "build" | "observe" | "billing" | "account";
type Icon = typeof House;
type Load = () => Promise<{ default: Component }>;

export type Page = {
  readonly id: keyof typeof pageNames;
  readonly path: string;
  /**
   * `member` needs a session; `everyone` is also public; `guest` is the sign-in group, in its own
   * frame; `link` is opened from an email and works signed in or not.
   */
  readonly access: "member" | "everyone" | "guest" | "link";
  readonly load: Load;
  /** Shown to everyone, also while it is unknown who is signed in. */
  readonly standalone?: true;
  /** Of the operator's desk: nobody else finds it. */
  readonly operatorOnly?: true;
  /** Of the role in the account, for pages about one. */
  readonly needs?: Permission;
  readonly nav?: {
    readonly group: NavGroup;
    readonly icon: Icon;
    /** `g` then this letter. */
    readonly shortcut?: string;
    /** Also in the bottom bar of phones. */
    readonly bottom?: boolean;
    /** Where the link leads, if not to `path`. */
    readonly href?: string;
    /** Current also below this path. */
    readonly under?: string;
  };
};
