// Draws the public pages at the end of the build (`write-pages.ts`), by the same components as in the browser.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin } from "vite";
import solid from "vite-plugin-solid";

const here = import.meta.dirname;

export function prerender(): Plugin {
  let dist = "";
  return {
    name: "prerender",
    apply: "build",
    configResolved({ root, build: { outDir } }) {
      dist = join(root, outDir);
    },
    async closeBundle() {
      const compiled = mkdtempSync(join(tmpdir(), "turnpike-prerender-"));
      try {
        await compile(compiled);
        const command = [process.execPath, join(here, "write-pages.ts"), compiled, dist];
        const child = Bun.spawn(command, { stdio: ["ignore", "inherit", "inherit"] });
        if ((await child.exited) !== 0) throw new Error("the public pages could not be drawn");
      } finally {
        rmSync(compiled, { recursive: true });
      }
    },
  };
}

async function compile(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: join(here, ".."),
    logLevel: "warn",
    publicDir: false,
    plugins: [solid()],
    ssr: { noExternal: true },
    resolve: { conditions: ["browser", "solid", "module", "import"] },
    environments: { ssr: { resolve: { conditions: ["browser", "solid", "module", "import"] } } },
    build: { ssr: join(here, "mount-app.tsx"), outDir, emptyOutDir: true, minify: false },
  });
}
