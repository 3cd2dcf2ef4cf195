// What a procedure may use: the services the server opened, and what is known about the one request it
// serves. Routers get nothing from anywhere else.

import type { AuthenticatedManagementKey, Membership } from "@turnpike/accounts";
import type { Auth, AuthenticatedSession, ProviderSettings } from "@turnpike/auth";
import type { AccountId, Sealer } from "@turnpike/base";
import type { Billing } from "@turnpike/billing";
import type { CatalogInForce } from "@turnpike/catalog";
import type { CompanyDetails, Db } from "@turnpike/db";
import type { Objects } from "@turnpike/objects";
import type { CatalogFiles, Delivery } from "@turnpike/operator";
import type { Receipts } from "@turnpike/receipts";
import type { FiguresInForce } from "@turnpike/reports";
import type { Webhooks } from "@turnpike/webhooks";

/** Public facts about this installation. Money as decimal strings in USD. */
export type PublicConfig = {
  readonly productName: string;
  readonly supportEmail: string;
  readonly minTopUpUsd: string;
  readonly maxTopUpUsd: string;
  readonly topUpPresetsUsd: readonly string[];
  readonly topUpMode: "stripe" | "sandbox" | "none";
  readonly passwordMinLength: number;
  /** Where people can sign in besides here. */
  readonly signInProviders: readonly Pick<ProviderSettings, "id" | "name" | "kind">[];
  readonly development: boolean;
  /** Whether requests have a signed receipt. */
  readonly receipts: boolean;
  /** Whether prompts and answers can be stored. */
  readonly prompts: boolean;
  /** Whether callers can keep files, and leave batches. */
  readonly files: boolean;
  /** Whether the operator has terms and a privacy policy. */
  readonly terms: boolean;
  readonly privacy: boolean;
  /** Whether visitors can ask models on the landing page. */
  readonly demo: boolean;
  /** Ends in `/v1`. */
  readonly apiBaseUrl: string;
};

/** Opened once, by the server. A router that needs another service adds it here. */
export type ApiServices = {
  readonly db: Db;
  readonly auth: Auth;
  readonly billing: Billing;
  readonly webhooks: Webhooks;
  /**
   * Runs one read of an account's reports in its turn, on one connection: `read` must not run two statements
   * at the same time. Rejects with `overloaded`.
   */
  readonly report: <Result>(
    accountId: AccountId,
    read: (db: Db) => Promise<Result>,
  ) => Promise<Result>;
  /**
   * Runs one change of an account in its turn: each account has one at a time, so that those that wait for it hold no
   * connection that others need. Rejects with `overloaded`.
   */
  readonly change: <Result>(accountId: AccountId, run: () => Promise<Result>) => Promise<Result>;
  /** Runs one read that may be a few seconds behind what others wrote, and may be run again. */
  readonly read: <Result>(read: (db: Db) => Promise<Result>) => Promise<Result>;
  /** How far the replica that reports are read from is behind; undefined without one. */
  readonly replicaLagMs: () => number | undefined;
  readonly catalog: CatalogInForce;
  /** What calls met, kept in memory: reading it asks no database. */
  readonly figures: FiguresInForce;
  readonly catalogFiles: CatalogFiles;
  readonly receipts: Receipts;
  /** Undefined without SEALING_KEY. */
  readonly sealer: Sealer | undefined;
  /** Files that are kept; undefined without OBJECTS_FOLDER and SEALING_KEY. */
  readonly objects: Objects | undefined;
  readonly config: PublicConfig;
  /** The operator's, as statements name it. */
  readonly company: CompanyDetails;
  /** How operators get files. */
  readonly delivery: Delivery;
};

export type ApiContext = ApiServices & {
  /** `req_…`, shown to the caller with every error. */
  readonly requestId: string;
  /** The client's address, as trusted proxies report it. */
  readonly address: string;
  readonly userAgent: string;
  /** The Cookie header. */
  readonly cookies: string | null;
  /** Undefined for everyone who is not signed in. */
  readonly authenticated: AuthenticatedSession | undefined;
  /** Of a call of the management API, which has no session: the key it was made with. */
  readonly managementKey?: AuthenticatedManagementKey | undefined;
  /** The account the request is about; undefined for those who do not belong to it. */
  readonly account: Membership | undefined;
  readonly setCookies: (values: readonly string[]) => void;
};
