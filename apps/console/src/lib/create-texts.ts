// Every text of the console goes through `t("area.key", params)`: one place to translate, and no
// sentence is concatenated. A page's texts are in the folder of the page, so that they load with it.

type Plural = { readonly one: string; readonly other: string };
export type Texts = Readonly<Record<string, string | Plural>>;
type Areas = Readonly<Record<string, Texts>>;
type Key<A extends Areas> = {
  [Area in keyof A & string]: `${Area}.${keyof A[Area] & string}`;
}[keyof A & string];

export type Params = Readonly<Record<string, string | number>>;
export type Translate<A extends Areas> = (key: Key<A>, params?: Params) => string;

/** `{name}` is replaced by the parameter; `{ one, other }` is chosen by `params.count`. */
export function createTexts<const A extends Areas>(areas: A): Translate<A> {
  return (key, params = {}) => {
    const dot = key.indexOf(".");
    const entry = areas[key.slice(0, dot)]?.[key.slice(dot + 1)];
    if (entry === undefined) throw new Error(`no text: ${key}`);
    const pattern = typeof entry === "string" ? entry : choosePlural(entry, params);
    return pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = params[name];
      if (value === undefined) throw new Error(`${key} needs {${name}}`);
      return String(value);
    });
  };
}

function choosePlural(entry: Plural, params: Params): string {
  const count = Number(params.count);
  const rule = new Intl.PluralRules(document.documentElement.lang || "en").select(count);
  return rule === "one" ? entry.one : entry.other;
}
