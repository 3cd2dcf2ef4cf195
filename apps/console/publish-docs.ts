// Writes the docs as Markdown, /llms.txt and the search index next to the built pages, and serves them in development.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { writeDocs } from "./src/pages/docs/write-docs.ts";

const folder = join(import.meta.dirname, "src/pages/docs/content");
const write = () => writeDocs((id) => readFileSync(join(folder, `${id}.md`), "utf8"));

export function publishDocs(): Plugin {
  return {
    name: "publish-docs",
    generateBundle() {
      for (const [fileName, source] of write()) this.emitFile({ type: "asset", fileName, source });
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const [path = ""] = (request.url ?? "").slice(1).split("?");
        const text = write().get(path);
        if (text === undefined) return next();
        const type = path.endsWith(".json") ? "application/json" : "text/markdown";
        response.setHeader("content-type", `${type}; charset=utf-8`);
        response.end(text);
      });
    },
  };
}
