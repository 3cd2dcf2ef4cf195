// The pages of members as the router lists them, and what can be begun on them, read from the text of these lists: browser
// tests import nothing of the console.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export type RoutedPage = {
  readonly path: string;
  /** The permission of the role. */
  readonly needs: string | undefined;
  readonly matches: (pathname: string) => boolean;
};

const read = (path: string) => readFileSync(join(import.meta.dirname, "../src", path), "utf8");

/** Of an account: not the operator's desk, nor what everybody sees in another frame. */
export function readRoutedPages(): readonly RoutedPage[] {
  const text = read("shell/routes.ts");
  const listed = [...text.matchAll(/\n {2}\{\n([\s\S]*?)\n {2}\},/g)].flatMap(([, body = ""]) => {
    const path = /path: "([^"]+)"/.exec(body)?.[1];
    if (path === undefined || /operatorOnly|standalone/.test(body)) return [];
    return [{ path, needs: /needs: "([^"]+)"/.exec(body)?.[1] }];
  });
  const settings = [...text.matchAll(/\n {2}setting\((.*?)\),(?=\n {2}\S)/gs)].map(
    ([, body = ""]) => ({
      path: `/settings/${/^\s*"[^"]+",\s*"([^"]+)"/.exec(body)?.[1]}`,
      needs: /"([a-z]+\.[a-z]+)"\s*,?\s*$/.exec(body)?.[1],
    }),
  );
  return [...listed, ...settings].map((page) => ({ ...page, matches: matcherOf(page.path) }));
}

function matcherOf(path: string): (pathname: string) => boolean {
  const pattern = path.replace(/\/:[^/]+/g, "/[^/]+").replace(/\/\*[^/]*/, "(?:/.*)?");
  const whole = new RegExp(`^${pattern}$`);
  return (pathname) => whole.test(pathname);
}

export type BegunAction = {
  /** What an address asks for: `?do=…`. */
  readonly id: string;
  /** On buttons and links. */
  readonly names: readonly string[];
  readonly needs: string | undefined;
};

export function readPageActions(): readonly BegunAction[] {
  const text = read("lib/page-actions.ts");
  const shared = new Map(
    [...text.matchAll(/const (\w+) = \{[^}]*needs: "([^"]+)"[^}]*\}/g)].map(
      ([, name = "", needs = ""]) => [name, needs],
    ),
  );
  return [...text.matchAll(/"([a-z-]+)": \{([^}]*title:[^}]*)\}/g)].map(
    ([, id = "", body = ""]) => {
      const spread = /\.\.\.(\w+)/.exec(body)?.[1] ?? "";
      const also = /also: "([^"]+)"/.exec(body)?.[1]?.split(", ") ?? [];
      return {
        id,
        names: [/title: "([^"]+)"/.exec(body)?.[1] ?? "", ...also],
        needs: /needs: "([^"]+)"/.exec(body)?.[1] ?? shared.get(spread),
      };
    },
  );
}
