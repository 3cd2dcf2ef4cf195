// The pages of the sign-in group, and those that are opened from an email.
import type { Page } from "./page.ts";

const loadEmailLink = () => import("../pages/sign-in/email-link-page.tsx");

export const entryPages: readonly Page[] = [
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
    id: "verifyEmail",
    path: "/verify-email",
    access: "link",
    load: () => import("../pages/sign-in/verify-email-page.tsx"),
  },
  {
    id: "join",
    path: "/join",
    access: "link",
    load: () => import("../pages/sign-in/join-page.tsx"),
  },
  { id: "resetPassword", path: "/reset-password", access: "link", load: loadEmailLink },
  { id: "confirmEmail", path: "/confirm-email", access: "link", load: loadEmailLink },
  { id: "undoChange", path: "/undo-change", access: "link", load: loadEmailLink },
  { id: "recoverFactors", path: "/recover-factors", access: "link", load: loadEmailLink },
  { id: "unlock", path: "/unlock", access: "link", load: loadEmailLink },
];
