// Texts about second factors in Settings.
import { createTexts } from "../../lib/create-texts.ts";

const factors = {
  title: "Second factors",
  description:
    "With one, your password alone no longer signs in. Add two, so that a lost device does not lock you out.",
  what: "your second factors",
  caption: "Your second factors",
  none: "None yet. Anyone who learns your password can sign in.",
  name: "Name",
  kind: "Kind",
  totp: "Authenticator app",
  passkey: "Passkey",
  added: "Added",
  used: "Last used",
  never: "Never",
  addApp: "Add authenticator app",
  addPasskey: "Add passkey",
  appsOff: "Authenticator apps are off on this server: its operator has not set SEALING_KEY.",
  menu: "Actions for {name}",
  rename: "Rename",
  renameTitle: "Rename {name}",
  nameMissing: "Enter a name.",
  save: "Save",
  saving: "Saving…",
  remove: "Remove",
  removing: "Removing…",
  removeTitle: "Remove {name}?",
  removeBody: "It no longer signs in to your account.",
  removeLast:
    "It is your only second factor: afterwards your password alone signs in, and your recovery codes stop working.",
  removed: "{name} was removed.",
  recovery:
    "Someone who knows your password says that your second factors are lost. They can be removed from {at}. If that was not you, cancel it and change your password.",
  keep: "Cancel it",
} as const;

const app = {
  title: "Add authenticator app",
  intro: "Scan the QR code with an app such as Aegis, 1Password or Google Authenticator.",
  qr: "QR code for your authenticator app",
  secret: "Or type this secret into the app",
  copySecret: "Copy secret",
  code: "Code",
  codeHint: "The six digits the app shows now.",
  codeMissing: "Enter the six digits.",
  name: "Name",
  nameHint: "To tell it from others.",
  nameDefault: "Authenticator app",
  submit: "Add app",
  submitting: "Checking…",
  done: "{name} was added. Signing in asks for it from now on.",
  preparing: "Preparing the QR code…",
} as const;

const passkey = {
  title: "Add passkey",
  intro:
    "Your device, your password manager or a security key keeps it. It signs in without a password.",
  nameDefault: "Passkey",
  submit: "Continue",
  submitting: "Waiting for your browser…",
  declined: "Your browser made no passkey. Perhaps this device already has one for this account.",
} as const;

const codes = {
  title: "Recovery codes",
  left: {
    one: "You have {count} unused recovery code. Each signs in once without your second factor.",
    other: "You have {count} unused recovery codes. Each signs in once without your second factor.",
  },
  renew: "Make new codes",
  renewTitle: "Make new recovery codes?",
  renewBody: "All earlier codes stop working.",
  renewing: "Making…",
  shown: "Save your recovery codes",
  once: "Each signs in once if you lose your second factor. They are shown only now: print them, or keep them where you keep passwords.",
  list: "Recovery codes",
  copy: "Copy codes",
  download: "Download",
  file: "{product}-recovery-codes.txt",
  done: "I saved them",
} as const;

export const t = createTexts({ factors, app, passkey, codes });
