// The time zone in which components print times: the browser's, unless a provider above names another.
import type { Accessor, ParentProps } from "solid-js";
import { createContext, type JSX, useContext } from "solid-js";
import { browserTimeZone } from "../../lib/format.ts";

const Context = createContext<Accessor<string>>(browserTimeZone);

export function TimeZoneProvider(props: ParentProps<{ timeZone: Accessor<string> }>): JSX.Element {
  return <Context.Provider value={props.timeZone}>{props.children}</Context.Provider>;
}

export function useDisplayTimeZone(): Accessor<string> {
  return useContext(Context);
}
