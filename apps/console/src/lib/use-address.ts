// What a page shows, in its address: a table names the parameters, and how each is read and written. An invalid value
// reads as the default, and a default is not written: an address has only what someone chose.
import { useSearchParams } from "@solidjs/router";

type Params = Readonly<Record<string, string | undefined>>;

export type Field<Value> = {
  /** `param` is empty for what the address does not have. */
  readonly read: (param: (name: string) => string, name: string) => Value;
  /** Undefined removes a parameter. */
  readonly write: (value: Value, name: string) => Params;
};

export const text: Field<string> = {
  read: (param, name) => param(name),
  write: (value, name) => ({ [name]: value || undefined }),
};

/** One of these, else the default. */
export function oneOf<const Default extends string, const Value extends string>(
  otherwise: Default,
  known: readonly Value[],
): Field<Default | Value> {
  return {
    read: (param, name) => known.find((one) => one === param(name)) ?? otherwise,
    write: (value, name) => ({ [name]: value === otherwise ? undefined : value }),
  };
}

/** `?keys=a,b`. */
export const list: Field<string[]> = {
  read: (param, name) => param(name).split(",").filter(Boolean),
  write: (values, name) => ({ [name]: values.join(",") || undefined }),
};

/** Those of a list that are known. */
export function someOf<const Value extends string>(known: readonly Value[]): Field<Value[]> {
  return {
    read: (param, name) =>
      list.read(param, name).flatMap((given) => known.filter((one) => one === given)),
    write: list.write,
  };
}

/** `1` for on and `0` for off, if it is not the default. */
export function flag(otherwise: boolean): Field<boolean> {
  const other = otherwise ? "0" : "1";
  return {
    read: (param, name) => (param(name) === other ? !otherwise : otherwise),
    write: (on, name) => ({ [name]: on === otherwise ? undefined : other }),
  };
}

type Sort = { readonly column: string; readonly descending: boolean };

/** `cost` for the most first, `cost-up` for the least. */
export function sortBy<Default extends Sort | undefined>(
  columns: RegExp,
  otherwise: Default,
): Field<Sort | Default> {
  return {
    read(param, name) {
      const column = param(name).replace(/-up$/, "");
      return columns.test(column) ? { column, descending: column === param(name) } : otherwise;
    },
    write(sort, name) {
      if (sort === undefined) return { [name]: undefined };
      const { column, descending } = sort;
      const isDefault = column === otherwise?.column && descending === otherwise.descending;
      return { [name]: isDefault ? undefined : `${column}${descending ? "" : "-up"}` };
    },
  };
}

export type ValuesOf<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends Field<infer Value> ? Value : never;
};

type FieldsOf<Values> = { readonly [Name in keyof Values]: Field<Values[Name]> };

/** The values of parameters, each by its name. */
export function readAddress<Values>(fields: FieldsOf<Values>, param: (name: string) => string) {
  return <Name extends keyof Values & string>(name: Name): Values[Name] =>
    fields[name].read(param, name);
}

export type Address<Values> = ReturnType<typeof useAddress<Values>>;

export function useAddress<Values>(fields: FieldsOf<Values>) {
  type Name = keyof Values & string;
  const [search, setSearch] = useSearchParams();
  const param = (name: string) => [search[name]].flat()[0] ?? "";
  const get = readAddress(fields, param);
  const written = (names: readonly Name[]): Params =>
    merge(names.map((name) => fields[name].write(get(name), name)));
  const unset = (name: Name) =>
    fields[name].write(
      fields[name].read(() => "", name),
      name,
    );
  /** How many of these are not the default. */
  const count = (names: readonly Name[]) =>
    names.filter((name) => Object.values(written([name])).some((value) => value !== undefined))
      .length;
  return {
    get,
    /** What is given as undefined becomes the default. */
    set(
      change: { readonly [One in Name]?: Values[One] | undefined },
      options?: { replace?: boolean; scroll?: boolean },
    ) {
      const params = namesIn<Name>(change).map((name) => {
        const value = change[name];
        return value === undefined ? unset(name) : fields[name].write(value, name);
      });
      setSearch(merge(params), options);
    },
    /** These as parameters of another address. */
    written,
    count,
    /** What a list is narrowed by, and how it is not; `also` is reset with them, such as the page. */
    narrowedBy: (names: readonly Name[], also: readonly Name[] = []) => ({
      filterCount: () => count(names),
      clear: () => setSearch(merge([...names, ...also].map(unset))),
    }),
  };
}

function merge(params: readonly Params[]): Params {
  return Object.fromEntries(params.flatMap((one) => Object.entries(one)));
}

/** Guarantee: the type of a change allows only names of fields. */
function namesIn<Name extends string>(change: { readonly [One in Name]?: unknown }): Name[] {
  return Object.keys(change) as Name[];
}
