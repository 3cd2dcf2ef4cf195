// What the operator of a test's installation has configured.
import type { ApiServices } from "./context.ts";

export const testConfig: ApiServices["config"] = {
  productName: "Turnpike",
  supportEmail: "",
  minTopUpUsd: "5",
  maxTopUpUsd: "1000",
  topUpPresetsUsd: ["10"],
  topUpMode: "sandbox",
  passwordMinLength: 12,
  signInProviders: [],
  development: false,
  terms: false,
  privacy: false,
  demo: false,
  receipts: true,
  prompts: true,
  files: true,
  apiBaseUrl: "http://console.test/v1",
};

export const testCompany: ApiServices["company"] = {
  name: "Turnpike Test",
  addressLines: ["1 Main Street"],
  taxNumber: "TP-1",
};
