// Published advisories on packages of the lockfile. Add an entry when one is published: `npm audit`, on a machine
// that may ask the registry, lists them.
export type Advisory = {
  readonly package: string;
  /** A range as npm writes them. */
  readonly affected: string;
  readonly id: `GHSA-${string}` | `CVE-${string}`;
  readonly about: string;
  /** Why an affected version may stay, by version. */
  readonly accepted?: Readonly<Record<string, string>>;
};

export const advisories: readonly Advisory[] = [
  {
    package: "drizzle-orm",
    affected: "<0.45.2",
    id: "GHSA-gpj5-g38j-94v9",
    about: "SQL injection through quoted identifiers",
  },
  {
    package: "elysia",
    affected: "<1.4.27",
    id: "CVE-2026-31865",
    about: "cookies overridden by prototype pollution",
  },
  {
    package: "elysia",
    affected: ">=1.4.0 <1.4.17",
    id: "CVE-2025-66456",
    about: "prototype pollution when schemas are merged",
  },
  {
    package: "@trpc/server",
    affected: ">=11.0.0 <11.8.0",
    id: "GHSA-43p4-m455-4f4j",
    about: "prototype pollution by form data",
  },
  {
    package: "@trpc/server",
    affected: ">=11.0.0 <11.1.1",
    id: "GHSA-pj3v-9cm8-gvj8",
    about: "a WebSocket message ends the process",
  },
  {
    package: "seroval",
    affected: "<1.4.1",
    id: "CVE-2026-23737",
    about: "code execution by deserialization",
  },
  {
    package: "nodemailer",
    affected: "<7.0.7",
    id: "GHSA-mm7p-fcc7-pg87",
    about: "mail to an unintended domain",
  },
  {
    package: "nodemailer",
    affected: "<7.0.11",
    id: "GHSA-rcmh-qjqh-p98v",
    about: "recursion of the address parser",
  },
  {
    package: "vite",
    affected: "<7.1.11",
    id: "GHSA-93m4-6634-74q7",
    about: "denied files served on Windows",
  },
  {
    package: "happy-dom",
    affected: "<20.0.0",
    id: "GHSA-37j7-fg3j-429f",
    about: "scripts of a page leave their context",
  },
  {
    package: "ws",
    affected: ">=8.0.0 <8.17.1",
    id: "GHSA-3h5v-q93c-6h6q",
    about: "many headers end the process",
  },
  {
    package: "yaml",
    affected: ">=2.0.0 <2.2.2",
    id: "GHSA-f9xv-q969-pqx4",
    about: "uncaught exception while parsing",
  },
  {
    package: "zod",
    affected: "<=3.22.2",
    id: "GHSA-m95q-7qp3-xv42",
    about: "slow validation of addresses",
  },
  {
    package: "marked",
    affected: "<4.0.10",
    id: "GHSA-rrrm-qjm4-v8hf",
    about: "slow regular expression",
  },
  {
    package: "postcss",
    affected: "<8.4.31",
    id: "GHSA-7fh5-64p2-3v2j",
    about: "comments parsed as rules",
  },
  {
    package: "nanoid",
    affected: "<3.3.8",
    id: "GHSA-mwcw-c2x4-8c55",
    about: "predictable ids for fractional sizes",
  },
  {
    package: "node-fetch",
    affected: "<2.6.7",
    id: "GHSA-r683-j2x4-v87g",
    about: "headers forwarded to another origin",
  },
  {
    package: "form-data",
    affected: ">=4.0.0 <4.0.4",
    id: "GHSA-fjxv-7rqg-78g4",
    about: "predictable boundaries",
  },
  {
    package: "tar-fs",
    affected: ">=3.0.0 <3.1.1",
    id: "GHSA-vj76-c3g6-qr5v",
    about: "files written outside the folder",
  },
  {
    package: "semver",
    affected: ">=6.0.0 <6.3.1",
    id: "GHSA-c2qf-rxjj-qqgw",
    about: "slow regular expression",
  },
  {
    package: "@babel/runtime",
    affected: "<7.26.10",
    id: "GHSA-968p-4wvh-cqc8",
    about: "slow code for named groups",
  },
  {
    package: "@babel/traverse",
    affected: "<7.23.2",
    id: "GHSA-67hx-6x53-jw92",
    about: "code execution while compiling",
  },
  {
    package: "esbuild",
    affected: "<=0.24.2",
    id: "GHSA-67mh-4wv8-2f99",
    about: "other sites read what its development server serves",
    accepted: { "0.18.20": "drizzle-kit compiles its configuration with it and never serves" },
  },
];
