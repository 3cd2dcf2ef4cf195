// Texts of the dialog that shows a new secret.
import { createTexts } from "../../lib/create-texts.ts";

const reveal = {
  noMoney: "Your balance is empty, so requests with this key are declined.",
  addFunds: "Add funds",
  title: "Save your key",
  label: "Your new API key",
  otherLabel: "Your new key",
  once: "This is the only time we show it. Store it like a password.",
  copy: "Copy key",
  done: "Done",
  closeTitle: "Close without copying the key?",
  closeBody: "It cannot be shown again. You would have to create a new one.",
  back: "Go back",
  closeAnyway: "Close anyway",
  start: "Use it",
} as const;

export const t = createTexts({ reveal });
