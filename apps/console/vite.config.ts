// Builds the console into `dist/`, and serves it in development on an inner port behind the server,
// so that the browser only ever sees one origin.
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import solid from "vite-plugin-solid";

export default defineConfig({
  plugins: [solid(), tailwindcss()],
  server: { host: "127.0.0.1", port: 5173, forwardConsole: false },
  build: {
    target: "es2023",
    // The size budget is measured from it.
    manifest: true,
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
