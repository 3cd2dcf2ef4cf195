// How long texts and lists may be, and how amounts are written: the server refuses more, and no field of the console
// takes more.

/** In UTF-16 code units, as browsers and `parseName` count. */
export const nameCharsMax = {
  account: 80,
  apiKey: 64,
  factor: 60,
  managementKey: 64,
  person: 100,
  project: 64,
} as const;

export const slugCharsMax = 40;
export const webhookDescriptionCharsMax = 100;
/** Of what an operator does. */
export const reasonCharsMax = 500;
/** As a code is typed, with spaces or hyphens. */
export const codeCharsMax = 40;

/** What is recorded of the names that callers give to a request. */
export const callerCharsMax = { app: 100, user: 128 } as const;

/** Of the company that statements name. */
export const companyMax = { lineChars: 120, addressLines: 8, taxNumberChars: 60 } as const;

/** The highest limits on requests or tokens per minute, and on requests at the same time. */
export const rateMax = { perMinute: 10_000_000, concurrency: 10_000 } as const;

/** OpenAI takes four. Those that a provider does not take are looked for in its answer. */
export const stopsMax = 64;

/** How many keys usage and logs can be narrowed to. */
export const filteredKeysMax = 100;

/** How many procedures one request of the console may call. */
export const batchCallsMax = 10;

/** Amounts as text: in whole cents, or down to nano-dollars. Never a sign or an exponent. */
export const usdPatterns = {
  cents: /^\d{1,10}(\.\d{1,2})?$/,
  nanos: /^\d{1,10}(\.\d{1,9})?$/,
} as const;

/** How long responses and conversations can be stored. */
export const responseHoursMax = 720;
