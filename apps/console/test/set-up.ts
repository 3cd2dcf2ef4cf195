// Before every test of the console: Solid's JSX instead of React's, and a document to render into.
import { afterEach } from "bun:test";
import { transformAsync } from "@babel/core";
import { GlobalRegistrator } from "@happy-dom/global-registrator";
import solid from "babel-preset-solid";
import { plugin } from "bun";

// Solid's compiler emits TypeScript, which Bun then compiles.
plugin({
  name: "solid",
  setup(build) {
    build.onLoad({ filter: /\.[jt]sx$/ }, async ({ path }) => {
      const result = await transformAsync(await Bun.file(path).text(), {
        filename: path,
        babelrc: false,
        configFile: false,
        parserOpts: { plugins: ["jsx", "typescript"] },
        presets: [[solid, { generate: "dom", hydratable: false }]],
      });
      return { contents: result?.code ?? "", loader: "ts" };
    });
  },
});

GlobalRegistrator.register({ url: "http://localhost:3000/", width: 1280, height: 800 });

const { cleanup, configure } = await import("@solidjs/testing-library");
// Waits for an event without limiting the time: a busy machine must not fail a test. No product timer is as
// long, because tests that shorten such a timer would shorten this one too.
configure({ asyncUtilTimeout: 90_000 });
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
