// Texts of the shell: pages, navigation, top bar, banners.
import { createTexts } from "../lib/create-texts.ts";

const page = {
  overview: "Overview",
  keys: "API Keys",
  key: "API key",
  playground: "Playground",
  models: "Models",
  model: "Model",
  docs: "Docs",
  usage: "Usage",
  logs: "Logs",
  wallet: "Wallet",
  topUp: "Top-up",
  settings: "Settings",
  profile: "Profile",
  security: "Security",
  notifications: "Notifications",
  organization: "Organization",
  members: "Members",
  audit: "Audit log",
  join: "Join an organization",
  login: "Sign in",
  register: "Create your account",
  verifyEmail: "Verify your e-mail",
  forgotPassword: "Reset your password",
  resetPassword: "Choose a new password",
  confirmEmail: "Confirm your new e-mail",
  undoChange: "Undo a change",
  unlock: "Unlock this browser",
  landing: "One API for every model",
  notFound: "Page not found",
} as const;

const group = {
  build: "Build",
  observe: "Observe",
  billing: "Billing",
  account: "Account",
} as const;

const shell = {
  skip: "Skip to content",
  main: "Main",
  menu: "Menu",
  openMenu: "Open menu",
  closeMenu: "Close menu",
  collapse: "Collapse sidebar",
  expand: "Expand sidebar",
  search: "Search or jump to…",
  balanceLabel: "Balance",
  balanceLow: "low",
  balanceZero: "empty",
  balanceUnknown: "Balance unavailable",
  help: "Help",
  support: "Support",
  account: "Account",
  theme: "Theme",
  system: "System",
  light: "Light",
  dark: "Dark",
  settings: "Settings",
  signIn: "Sign in",
  signUp: "Create account",
  signOut: "Sign out",
  signingOut: "Signing out…",
  navigated: "{title} page",
} as const;

const banner = {
  zero: "Your balance is used up. API requests are being declined.",
  low: "Your balance is {amount}, {runway} at your current pace.",
  lowPlain: "Your balance is {amount}, below your alert of {alert}.",
  days: { one: "about {count} day", other: "about {count} days" },
  lessThanDay: "less than a day",
  overYear: "more than a year",
  frozen: "This account is frozen after a refund or dispute. API requests are being declined.",
  newVersion: "A new version of the console is available.",
  addFunds: "Add funds",
  contact: "Contact support",
} as const;

export const t = createTexts({ page, group, shell, banner });
