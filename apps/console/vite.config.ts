// Builds the console into `dist/`, and serves it in development on an inner port behind the server,
// so that the browser only ever sees one origin.
import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import solid from "vite-plugin-solid";
import { checkBudgets } from "./check-budgets.ts";
import { compressAssets } from "./compress-assets.ts";
import { prerender } from "./prerender/plugin.ts";
import { publishDocs } from "./publish-docs.ts";
import { nameAsset, publishFont } from "./publish-font.ts";
import { publishIcons } from "./publish-icons.ts";

/**
 * Few files on the first view (at most 12 requests), and none that the page does not need: what every
 * page loads, what overlays need, the components of pages. Everything else is one chunk per page.
 */
const groups = [
  {
    name: "base",
    priority: 3,
    test: /node_modules.*\/(?:solid-js|@solidjs|@tanstack|@trpc|lucide-solid)\/|vite\/|\/packages\/(?:format|terms)\/src\/(?!bytes|units)|\/src\/(?:[a-z-]+\.tsx?|lib\/(?!download-export\.|match\.|time-range|page-actions|typed-text)[a-z-]+\.ts$|shell\/(?:logo|desk-sections|skip-link|frame|broken-page|home-page|not-found-page|page-title|role-names|routes)\.|product\/connect\/(?:first-call-snippet|snippets)\.|ui\/(?:[a-z]+\/)?(?:button|copy-button|icons|later|open-dialog|skeleton|spinner|states|toasts|use-[a-z]+)\.tsx?$)/,
  },
  // Before what every page loads, which would take it along: only pages that compute a cost need it.
  {
    name: "costs",
    priority: 4,
    test: /\/packages\/terms\/src\/(?:amounts|cost-of|rates|stated-prices|units)\.|\/src\/product\/prices\/calculate-cost\./,
    includeDependenciesRecursively: false,
  },
  {
    name: "overlays",
    priority: 1,
    test: /@kobalte|@floating-ui|@corvu|@internationalized|solid-(?:presence|prevent-scroll)|\/src\/(?:shell\/(?:menus|help-menu|account-menu)|ui\/[a-z]+\/(?:menu|column-menu|dialog|change-dialog|declared-fields|alert-dialog|discard-dialog|toast-region))\.tsx$/,
  },
  {
    name: "components",
    // Before the overlays, which use some of them and would take them along. None may import an overlay: it would
    // bring the library of overlays into every first view.
    priority: 2,
    test: /\/src\/ui\/(?:(?!charts|factor|markdown|media)[a-z]+\/)?(?!menu|column-menu|dialog|change-dialog|declared-fields|alert-dialog|discard-dialog|search-list|list-field|toast-region|paged-card|day-field|bar\.)[a-z-]+\./,
  },
  // Pages that list prices do so in columns.
  {
    name: "prices",
    priority: 1,
    test: /\/src\/product\/prices\/(?:rate-column|shown-prices)\./,
  },
  // What the settings and the operator's desk list page by page and export; hardly another page needs it.
  { name: "lists", priority: 1, test: /\/src\/(?:ui\/tables\/paged-card|lib\/download-export)\./ },
  // Together, as the pages that await a first request say how funds are added too.
  {
    name: "first-request",
    priority: 1,
    test: /\/src\/(?:shell\/add-funds|product\/connect\/first-request)\./,
  },
  // Before the settings, which use them and would take them along.
  { name: "accounts", priority: 1, test: /\/src\/shell\/(?:account-texts|name-of-account)\./ },
  // What pages of usage share, in two files instead of a dozen. None may import an overlay here either.
  {
    name: "ranges",
    priority: 1,
    test: /\/src\/(?:lib\/time-range|ui\/charts\/charts|ui\/forms\/day-field|product\/[a-z]+\/(?:(?:use-)?projects|use-key-names|narrowing|coverage-note|log-status))\./,
  },
  {
    name: "spend",
    priority: 1,
    test: /\/src\/(?:ui\/figures\/bar|product\/[a-z]+\/(?:spend-chart|key-spend|meter))\./,
  },
  // What the pages of the playground share with each other, and with the demo of the landing page, in one file.
  {
    name: "playground",
    priority: 1,
    test: /\/src\/product\/completions\/|\/src\/pages\/playground\/(?:media\/(?:playground-kinds|use-drop)|answers\/ask-charge)\./,
  },
  // What only those for images and audio do, after their first view.
  {
    name: "studios",
    test: /\/src\/pages\/playground\/media\//,
    includeDependenciesRecursively: false,
  },
  { name: "passkeys", test: /@simplewebauthn|\/src\/lib\/passkeys\// },
  { name: "qr-code", test: /node_modules.*\/uqr\/|\/src\/pages\/settings\/qr-code\./ },
  { name: "sign-in", test: /\/src\/pages\/sign-in\/(?![a-z-]+-page\.)/ },
];

export default defineConfig({
  plugins: [
    solid(),
    tailwindcss(),
    publishFont(),
    publishIcons(),
    publishDocs(),
    prerender(),
    compressAssets(),
    checkBudgets(),
  ],
  server: {
    host: "127.0.0.1",
    port: 5173,
    forwardConsole: false,
    cors: false,
    // The repository also contains `.data`, with the database's passwords and a working key.
    fs: {
      allow: ["", "../../node_modules", "../../packages/format", "../../packages/terms"].map(
        (folder) => join(import.meta.dirname, folder),
      ),
      deny: [".env", ".env.*", "*.{crt,pem,key}", "**/.git/**", "**/.data*/**", "dev.json"],
    },
  },
  build: {
    target: "es2023",
    // The size budget is measured from it.
    manifest: true,
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups }, assetFileNames: nameAsset } },
  },
});
