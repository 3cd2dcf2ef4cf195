// The icons of a home screen, drawn from the one of the tab at the end of the build, and the manifest that names them.
// The server fills in the name of the installation.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Resvg } from "@resvg/resvg-js";
import type { Plugin } from "vite";

const brand = "#3451d1";
const tabIcon = readFileSync(join(import.meta.dirname, "public/favicon.svg"), "utf8");
/** Systems cut it to their own shape: it fills the square, and its sign keeps to the middle. */
const fullIcon = tabIcon
  .replace('rx="7"', "")
  .replace("<path", '<g transform="translate(3.2 3.2) scale(0.8)"><path')
  .replace("</svg>", "</g></svg>");

const icons = [
  { name: "icon-192.png", svg: tabIcon, px: 192, purpose: "any" },
  { name: "icon-512.png", svg: tabIcon, px: 512, purpose: "any" },
  { name: "icon-full-512.png", svg: fullIcon, px: 512, purpose: "maskable" },
] as const;
const touchIcon = { name: "apple-touch-icon.png", svg: fullIcon, px: 180 };

export function publishIcons(): Plugin {
  const emitted = new Map<string, string>();
  return {
    name: "publish-icons",
    apply: "build",
    generateBundle() {
      for (const { name, svg, px } of [...icons, touchIcon]) {
        const source = new Resvg(svg, { fitTo: { mode: "width", value: px } }).render().asPng();
        emitted.set(name, this.getFileName(this.emitFile({ type: "asset", name, source })));
      }
      const source = writeManifest((name) => `/${emitted.get(name)}`);
      this.emitFile({ type: "asset", fileName: "manifest.webmanifest", source });
    },
    transformIndexHtml: {
      order: "post",
      handler: (_, { bundle = {} }) => {
        const icon = Object.keys(bundle).find((file) => file.includes("apple-touch-icon"));
        return [
          link({ rel: "manifest", href: "/manifest.webmanifest" }),
          link({ rel: "apple-touch-icon", href: `/${icon}` }),
        ];
      },
    },
  };
}

function link(attrs: Record<string, string>) {
  return { tag: "link", attrs, injectTo: "head" as const };
}

function writeManifest(addressOf: (name: string) => string): string {
  return JSON.stringify({
    id: "/",
    name: "{{product}}",
    short_name: "{{product}}",
    start_url: "/",
    display: "standalone",
    background_color: "#ffffff",
    theme_color: brand,
    icons: icons.map(({ name, px, purpose }) => ({
      src: addressOf(name),
      sizes: `${px}x${px}`,
      type: "image/png",
      purpose,
    })),
  });
}
