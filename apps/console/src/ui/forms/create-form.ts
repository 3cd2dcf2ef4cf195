// The behavior of every form: validate on blur, then on input; on submit focus the first invalid
// field; one request at a time; server errors go to their fields; values survive an expired
// session.
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/solid-query";
import { createSignal } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import { describeFailure } from "../../lib/describe-failure.ts";
import { type Failure, readFailure } from "../../lib/read-failure.ts";
import { showToast } from "../notices/toasts.tsx";

export type Values = Record<string, string | boolean>;
export type Errors<V extends Values> = { readonly [Name in keyof V]?: string | undefined };

export type FormOptions<V extends Values> = {
  readonly initial: V;
  /** All errors of these values, by field. */
  readonly validate?: (values: V) => Errors<V>;
  readonly submit: (values: V) => Promise<unknown>;
  /** Loaded again once it was submitted. */
  readonly refreshes?: QueryKey;
  /** Says that it was submitted, where the page does not show it. */
  readonly toast?: string | ((values: V) => string);
  /** Field names of the server if they differ: `{ newPassword: "password" }`. */
  readonly fieldOf?: Readonly<Record<string, keyof V & string>>;
  /** Keeps the values across an expired session, under this name; passwords are never kept. */
  readonly draft?: string;
};

export type Form<V extends Values> = ReturnType<typeof createForm<V>>;

export function createForm<V extends Values>(options: FormOptions<V>) {
  const kept = readDraft(options.draft, options.initial);
  const [values, setValues] = createStore<Values>({ ...options.initial, ...kept });
  const [clean, setClean] = createSignal<Values>({ ...options.initial });
  const [errors, setErrors] = createStore<Record<string, string | undefined>>({});
  const [failure, setFailure] = createSignal<Failure>();
  const visited = new Set<string>();
  const current = () => asValues<V>({ ...values });
  const sending = useSending(options);

  const validate = (only?: ReadonlySet<string>): readonly string[] => {
    const found: Values | Record<string, string | undefined> = { ...options.validate?.(current()) };
    const wrong = Object.keys(found).filter((name) => typeof found[name] === "string");
    for (const name of Object.keys(values)) {
      if (only && !only.has(name)) continue;
      const text = found[name];
      setErrors(name, typeof text === "string" ? text : undefined);
    }
    return wrong;
  };

  const set = (name: keyof V & string, value: string | boolean) => {
    setValues(name, value);
    if (visited.has(name)) validate(new Set([name]));
    else setErrors(name, undefined);
  };

  const refuse = (error: unknown, element: HTMLElement) => {
    const read = readFailure(error);
    if (read.code === "unauthenticated") writeDraft(options.draft, current());
    const name =
      read.param === undefined ? undefined : (options.fieldOf?.[read.param] ?? read.param);
    if (name !== undefined && name in options.initial) {
      visited.add(name);
      // The server's message about this field is the most specific.
      setErrors(name, read.message || describeFailure(read));
      focusField(element, name);
    } else setFailure(read);
  };

  const send = async (element: HTMLElement): Promise<void> => {
    if (sending.isPending) return;
    setFailure(undefined);
    for (const name of Object.keys(options.initial)) visited.add(name);
    const wrong = validate();
    if (wrong.length > 0) return focusFirst(element, wrong);
    const sent = current();
    const before = clean();
    try {
      await sending.mutateAsync(sent);
      // Unless it started over.
      if (clean() === before) setClean(() => ({ ...sent }));
    } catch (error) {
      refuse(error, element);
    }
  };

  return {
    values: asValues<V>(values),
    errors: asErrors<V>(errors),
    /** A failure that belongs to no field. */
    failure,
    pending: () => sending.isPending,
    dirty: () => Object.keys(values).some((name) => values[name] !== clean()[name]),
    set,
    /** Starts over, for example after saving or when new data arrived. */
    reset(next: V) {
      setValues(reconcile<Values, Values>({ ...next }));
      setErrors(reconcile({}));
      setClean(() => ({ ...next }));
      setFailure(undefined);
      visited.clear();
    },
    submit(event: SubmitEvent & { currentTarget: HTMLFormElement }) {
      event.preventDefault();
      void send(event.currentTarget);
    },
    /** Without a form's own button; the fields are in `element`. */
    send: (element: HTMLElement) => void send(element),
    /** Spread into a field: value, error, and when to validate. */
    field(name: keyof V & string) {
      return {
        name: String(name),
        get value() {
          return String(values[name] ?? "");
        },
        get error() {
          return errors[name];
        },
        onInput: (value: string) => set(name, value),
        onBlur: () => {
          if (values[name] === "" && !visited.has(name)) return;
          visited.add(name);
          validate(new Set([name]));
        },
      };
    },
  };
}

/** What shows the change is loaded again, and a toast says that it is done. */
function useSending<V extends Values>(options: FormOptions<V>) {
  const client = useQueryClient();
  return useMutation(() => ({
    mutationFn: (sent: V) => options.submit(sent),
    async onSuccess(_: unknown, sent: V) {
      const { refreshes, toast } = options;
      if (refreshes) await client.invalidateQueries({ queryKey: refreshes });
      if (toast !== undefined) showToast(typeof toast === "function" ? toast(sent) : toast);
    },
  }));
}

/** Guarantee: the store is created from `initial` and `set` takes only its names. */
function asValues<V extends Values>(store: Values): V {
  return store as V;
}

/** Guarantee: errors are only ever set under names of the form. */
function asErrors<V extends Values>(store: Record<string, string | undefined>): Errors<V> {
  return store as Errors<V>;
}

function focusField(form: HTMLElement, name: string): void {
  form.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus();
}

/** In the order of the form, not in the order of validation. */
function focusFirst(form: HTMLElement, names: readonly string[]): void {
  const fields = [...form.querySelectorAll<HTMLElement>("[name]")];
  fields.find((field) => names.includes(field.getAttribute("name") ?? ""))?.focus();
}

const draftPrefix = "draft:";

function writeDraft(name: string | undefined, values: Values): void {
  if (name === undefined) return;
  const kept = Object.entries(values).filter(([key]) => !/password|token|key$/i.test(key));
  try {
    sessionStorage.setItem(draftPrefix + name, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Without storage the values are lost with the session.
  }
}

function readDraft(name: string | undefined, initial: Values): Values {
  if (name === undefined) return {};
  try {
    const text = sessionStorage.getItem(draftPrefix + name);
    sessionStorage.removeItem(draftPrefix + name);
    const kept: unknown = text === null ? {} : JSON.parse(text);
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter(([key, value]) => typeof value === typeof initial[key]),
    );
  } catch {
    return {};
  }
}
