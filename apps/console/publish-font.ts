// The font as pages need it: the characters of Latin languages in the weights the console uses, which is a third less than
// what its package holds. Preloaded, because a browser learns of it only from the style sheet.
import subsetFont from "subset-font";
import type { Plugin } from "vite";

/** As in `styles.css`. */
const weights = { min: 400, max: 600 };

/** First and last character of each range: those that the package's file for Latin languages claims. */
const ranges = [
  [0x20, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2bb, 0x2bc],
  [0x2c6, 0x2dc],
  [0x304, 0x329],
  [0x2000, 0x206f],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2191, 0x2215],
  [0xfffd, 0xfffd],
] as const;

const characters = ranges
  .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at))
  .map((code) => String.fromCodePoint(code))
  .join("");

/** Part of the file's name, which browsers keep for a year: Vite's hash is that of the whole font. */
const version = Bun.hash(characters + JSON.stringify(weights)).toString(36);

/** Names of the build's assets. */
export function nameAsset({ names }: { readonly names: readonly string[] }): string {
  const isSubset = names.some(isFont);
  return isSubset ? `assets/[name]-[hash]-${version}[extname]` : "assets/[name]-[hash][extname]";
}

const isFont = (file: string) => file.endsWith(".woff2");

export function publishFont(): Plugin {
  return {
    name: "publish-font",
    apply: "build",
    async generateBundle(_, bundle) {
      for (const [file, asset] of Object.entries(bundle)) {
        if (!isFont(file) || asset.type !== "asset") continue;
        asset.source = await subsetFont(Buffer.from(asset.source), characters, {
          targetFormat: "woff2",
          variationAxes: { wght: weights },
        });
      }
    },
    transformIndexHtml: {
      order: "post",
      handler: (_, { bundle = {} }) =>
        Object.keys(bundle)
          .filter(isFont)
          .map((file) => ({
            tag: "link",
            attrs: {
              rel: "preload",
              as: "font",
              type: "font/woff2",
              href: `/${file}`,
              crossorigin: "",
            },
            injectTo: "head" as const,
          })),
    },
  };
}
