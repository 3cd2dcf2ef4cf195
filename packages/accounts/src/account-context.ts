// What the functions of this package need besides the database: opened once, passed to each of them.

import type { ResolveTxt } from "./domain/resolve-txt.ts";
import type { AccountLimits } from "./throttle/account-limits.ts";

export type AccountContext = {
  /** The base URL of links in mails, without a trailing slash. */
  readonly publicUrl: string;
  readonly throttles: AccountLimits;
  readonly resolveTxt: ResolveTxt;
};
