// Builds the console into `dist/`, and serves it in development on an inner port behind the server,
// so that the browser only ever sees one origin.
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import solid from "vite-plugin-solid";

export default defineConfig({
  plugins: [solid(), tailwindcss(), preloadFont()],
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

/** The font is known only from the style sheet; without this it would be asked for too late. */
function preloadFont(): Plugin {
  return {
    name: "preload-font",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle = {} }) {
        const fonts = Object.keys(bundle).filter((name) => name.endsWith(".woff2"));
        return fonts.map((name) => ({
          tag: "link",
          attrs: {
            rel: "preload",
            as: "font",
            type: "font/woff2",
            href: `/${name}`,
            crossorigin: "",
          },
          injectTo: "head" as const,
        }));
      },
    },
  };
}
