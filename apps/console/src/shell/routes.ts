// The list of pages: path, title, who may see it, its place in the navigation. The router, the sidebar,
// the shortcuts and the command palette are all built from it.
import { type Component, lazy } from "solid-js";
import { loadOnce } from "../lib/load-once.ts";
import type { Permission } from "../lib/session.ts";
import {
  BookOpen,
  Box,
  ChartNoAxesColumn,
  FileText,
  Folder,
  Gauge,
  House,
  KeyRound,
  ListIcon,
  MessageSquare,
  Plug,
  Settings,
  Wallet,
} from "../ui/icons.ts";
import { entryPages } from "./entry-pages.ts";
import { HomePage } from "./home-page.tsx";
import type { Page } from "./page.ts";

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
    id: "projects",
    path: "/projects",
    access: "member",
    needs: "projects.read",
    load: () => import("../pages/projects/projects-page.tsx"),
    nav: { group: "build", icon: Folder, shortcut: "j" },
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
    id: "drawImages",
    path: "/playground/images",
    access: "member",
    needs: "playground.use",
    load: () => import("../pages/playground/images-page.tsx"),
  },
  {
    id: "audio",
    path: "/playground/audio",
    access: "member",
    needs: "playground.use",
    load: () => import("../pages/playground/audio-page.tsx"),
  },
  {
    id: "files",
    path: "/files",
    access: "member",
    needs: "files.read",
    load: () => import("../pages/files/files-page.tsx"),
    nav: { group: "build", icon: FileText, shortcut: "f" },
  },
  {
    id: "connect",
    path: "/connect",
    access: "member",
    needs: "keys.read",
    load: () => import("../pages/connect/connect-page.tsx"),
    nav: { group: "build", icon: Plug, shortcut: "c" },
  },
  {
    id: "models",
    path: "/models",
    access: "everyone",
    load: () => import("../pages/models/models-page.tsx"),
    nav: { group: "build", icon: Box, shortcut: "m", under: "/models" },
  },
  {
    id: "compareModels",
    path: "/models/compare",
    access: "everyone",
    load: () => import("../pages/models/compare-page.tsx"),
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
    id: "budgets",
    path: "/budgets",
    access: "member",
    needs: "budgets.read",
    load: () => import("../pages/budgets/budgets-page.tsx"),
    nav: { group: "billing", icon: Gauge, shortcut: "b" },
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
  setting("profile", "profile", () => import("../pages/settings/profile-page.tsx")),
  setting("security", "security", () => import("../pages/settings/security-page.tsx")),
  setting(
    "notifications",
    "notifications",
    () => import("../pages/settings/notifications-page.tsx"),
    "money.read",
  ),
  setting("organization", "organization", () => import("../pages/settings/organization-page.tsx")),
  setting("members", "members", () => import("../pages/settings/members-page.tsx"), "members.read"),
  setting("audit", "audit-log", () => import("../pages/settings/audit-page.tsx"), "audit.read"),
  setting(
    "managementKeys",
    "management-keys",
    () => import("../pages/settings/management-keys-page.tsx"),
    "management.read",
  ),
  setting(
    "guardrails",
    "guardrails",
    () => import("../pages/settings/guardrails-page.tsx"),
    "guardrails.read",
  ),
  setting(
    "privacy",
    "privacy",
    () => import("../pages/settings/privacy-page.tsx"),
    "projects.read",
  ),
  setting(
    "webhooks",
    "webhooks",
    () => import("../pages/settings/webhooks/webhooks-page.tsx"),
    "webhooks.read",
  ),
  {
    id: "status",
    path: "/status",
    access: "everyone",
    standalone: true,
    load: () => import("../pages/status/status-page.tsx"),
  },
  {
    id: "legal",
    path: "/legal/:name",
    access: "everyone",
    standalone: true,
    load: () => import("../pages/legal/legal-page.tsx"),
  },
  {
    id: "operator",
    path: "/operator/*rest",
    access: "member",
    operatorOnly: true,
    load: () => import("../pages/operator/desk-page.tsx"),
  },
  ...entryPages,
];

/** A section of Settings. */
function setting(id: Page["id"], path: string, load: Page["load"], needs?: Permission): Page {
  return { id, path: `/settings/${path}`, access: "member", load, ...(needs && { needs }) };
}

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
