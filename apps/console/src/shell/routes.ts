// The list of pages: path, title, who may see it, its place in the navigation. The router, the sidebar,
// the shortcuts and the command palette are all built from it.
import { type Component, lazy } from "solid-js";
import { loadOnce } from "../lib/load-once.ts";
import type { Permission } from "../lib/session.ts";
import {
  BookOpen,
  Box,
  ChartNoAxesColumn,
  House,
  KeyRound,
  ListIcon,
  MessageSquare,
  Settings,
  Wallet,
} from "../ui/icons.ts";
import { HomePage } from "./home-page.tsx";

export type NavGroup = "top" | "build" | "observe" | "billing" | "account";
type Icon = typeof House;
type Load = () => Promise<{ default: Component }>;

export type Page = {
  readonly id: PageTitle;
  readonly path: string;
  /**
   * `member` needs a session; `everyone` is also public; `guest` is the sign-in group, in its own
   * frame; `link` is opened from an e-mail and works signed in or not.
   */
  readonly access: "member" | "everyone" | "guest" | "link";
  readonly load: Load;
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

/** Keys of `page.*` in shell/texts.ts. */
export type PageTitle =
  | "overview"
  | "keys"
  | "key"
  | "playground"
  | "models"
  | "model"
  | "docs"
  | "usage"
  | "logs"
  | "wallet"
  | "topUp"
  | "settings"
  | "profile"
  | "security"
  | "notifications"
  | "organization"
  | "members"
  | "audit"
  | "managementKeys"
  | "webhooks"
  | "join"
  | "login"
  | "register"
  | "verifyEmail"
  | "forgotPassword"
  | "resetPassword"
  | "confirmEmail"
  | "undoChange"
  | "recoverFactors"
  | "unlock";

export const pages: readonly Page[] = [
  {
    id: "overview",
    path: "/",
    access: "everyone",
    // Too small for a separate chunk.
    load: async () => ({ default: HomePage }),
    nav: { group: "top", icon: House, shortcut: "o", bottom: true },
  },
  {
    id: "keys",
    path: "/keys",
    access: "member",
    needs: "keys.read",
    load: () => import("../pages/keys/keys-page.tsx"),
    nav: { group: "build", icon: KeyRound, shortcut: "k", bottom: true, under: "/keys" },
  },
  {
    id: "key",
    path: "/keys/:id",
    access: "member",
    needs: "keys.read",
    load: () => import("../pages/keys/key-page.tsx"),
  },
  {
    id: "playground",
    path: "/playground",
    access: "member",
    needs: "playground.use",
    load: () => import("../pages/playground/playground-page.tsx"),
    nav: { group: "build", icon: MessageSquare, shortcut: "p", bottom: true },
  },
  {
    id: "models",
    path: "/models",
    access: "everyone",
    load: () => import("../pages/models/models-page.tsx"),
    nav: { group: "build", icon: Box, shortcut: "m", under: "/models" },
  },
  {
    id: "model",
    path: "/models/*id",
    access: "everyone",
    load: () => import("../pages/models/model-page.tsx"),
  },
  {
    id: "docs",
    path: "/docs/*page",
    access: "everyone",
    load: () => import("../pages/docs/docs-page.tsx"),
    nav: { group: "build", icon: BookOpen, href: "/docs", under: "/docs" },
  },
  {
    id: "usage",
    path: "/usage",
    access: "member",
    needs: "usage.read",
    load: () => import("../pages/usage/usage-page.tsx"),
    nav: { group: "observe", icon: ChartNoAxesColumn, shortcut: "u" },
  },
  {
    id: "logs",
    path: "/logs",
    access: "member",
    needs: "logs.read",
    load: () => import("../pages/logs/logs-page.tsx"),
    nav: { group: "observe", icon: ListIcon, shortcut: "l" },
  },
  {
    id: "wallet",
    path: "/wallet",
    access: "member",
    needs: "money.read",
    load: () => import("../pages/wallet/wallet-page.tsx"),
    nav: { group: "billing", icon: Wallet, shortcut: "w", bottom: true, under: "/wallet" },
  },
  {
    id: "topUp",
    path: "/wallet/top-ups/:id",
    access: "member",
    needs: "money.read",
    load: () => import("../pages/wallet/top-up-page.tsx"),
  },
  {
    id: "settings",
    path: "/settings",
    access: "member",
    load: () => import("../pages/settings/settings-page.tsx"),
    nav: { group: "account", icon: Settings, under: "/settings" },
  },
  {
    id: "profile",
    path: "/settings/profile",
    access: "member",
    load: () => import("../pages/settings/profile-page.tsx"),
  },
  {
    id: "security",
    path: "/settings/security",
    access: "member",
    load: () => import("../pages/settings/security-page.tsx"),
  },
  {
    id: "notifications",
    path: "/settings/notifications",
    access: "member",
    needs: "money.read",
    load: () => import("../pages/settings/notifications-page.tsx"),
  },
  {
    id: "organization",
    path: "/settings/organization",
    access: "member",
    load: () => import("../pages/settings/organization-page.tsx"),
  },
  {
    id: "members",
    path: "/settings/members",
    access: "member",
    needs: "members.read",
    load: () => import("../pages/settings/members-page.tsx"),
  },
  {
    id: "audit",
    path: "/settings/audit-log",
    access: "member",
    needs: "audit.read",
    load: () => import("../pages/settings/audit-page.tsx"),
  },
  {
    id: "managementKeys",
    path: "/settings/management-keys",
    access: "member",
    needs: "management.read",
    load: () => import("../pages/settings/management-keys-page.tsx"),
  },
  {
    id: "webhooks",
    path: "/settings/webhooks",
    access: "member",
    needs: "webhooks.read",
    load: () => import("../pages/settings/webhooks/webhooks-page.tsx"),
  },
  {
    id: "login",
    path: "/login",
    access: "guest",
    load: () => import("../pages/sign-in/login-page.tsx"),
  },
  {
    id: "register",
    path: "/register",
    access: "guest",
    load: () => import("../pages/sign-in/register-page.tsx"),
  },
  {
    id: "forgotPassword",
    path: "/forgot-password",
    access: "link",
    load: () => import("../pages/sign-in/forgot-password-page.tsx"),
  },
  {
    id: "resetPassword",
    path: "/reset-password",
    access: "link",
    load: () => import("../pages/sign-in/reset-password-page.tsx"),
  },
  {
    id: "verifyEmail",
    path: "/verify-email",
    access: "link",
    load: () => import("../pages/sign-in/verify-email-page.tsx"),
  },
  {
    id: "confirmEmail",
    path: "/confirm-email",
    access: "link",
    load: () => import("../pages/sign-in/confirm-email-page.tsx"),
  },
  {
    id: "undoChange",
    path: "/undo-change",
    access: "link",
    load: () => import("../pages/sign-in/undo-change-page.tsx"),
  },
  {
    id: "recoverFactors",
    path: "/recover-factors",
    access: "link",
    load: () => import("../pages/sign-in/recover-factors-page.tsx"),
  },
  {
    id: "join",
    path: "/join",
    access: "link",
    load: () => import("../pages/sign-in/join-page.tsx"),
  },
  {
    id: "unlock",
    path: "/unlock",
    access: "link",
    load: () => import("../pages/sign-in/unlock-page.tsx"),
  },
];

/** Those with a place in the navigation, in its order, for every role. */
export const navPages = pages.flatMap((page) => (page.nav ? [{ ...page, nav: page.nav }] : []));

const loads = new Map(pages.map((page) => [page.path, loadOnce(page.load)]));

/** The page's component, in its own chunk. */
export function componentOf(page: Page): Component {
  return lazy(loads.get(page.path) ?? page.load);
}

/** Fetches the chunk of a page the reader is about to open. */
export function preload(path: string): void {
  // A failure here recurs, and is shown, when the page is opened.
  loads
    .get(path)?.()
    .catch(() => undefined);
}
