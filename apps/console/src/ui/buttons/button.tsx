// Buttons, and links that look like them. A pending button stays focusable, says what it is doing
// and ignores repeats; one that changes something is off while the browser is offline.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Show, splitProps } from "solid-js";
import { useOnline } from "../states/use-online.tsx";
import { Spinner } from "./spinner.tsx";

type Look = {
  variant?: "primary" | "secondary" | "ghost" | "danger" | undefined;
  size?: "medium" | "small" | undefined;
  /** As wide as its container. */
  wide?: boolean | undefined;
};

const variants = {
  // In forced-colors mode the transparent border becomes visible.
  primary: "border border-transparent bg-brand text-on-brand hover:bg-brand-hover font-medium",
  secondary: "border border-control bg-bg text-text hover:bg-hover font-medium",
  ghost: "text-text hover:bg-hover",
  danger: "border border-transparent bg-danger-fill text-on-danger hover:opacity-90 font-medium",
} as const;

const sizes = {
  medium: "h-9 px-4 text-base pointer-coarse:h-11",
  small: "h-8 px-3 text-sm pointer-coarse:h-11",
} as const;

export function buttonClass(look: Look): string {
  const width = look.wide ? "w-full" : "";
  const base =
    "inline-flex shrink-0 items-center justify-center gap-2 rounded-control whitespace-nowrap select-none transition-colors no-underline aria-disabled:opacity-60 disabled:opacity-60";
  return `${base} ${variants[look.variant ?? "secondary"]} ${sizes[look.size ?? "medium"]} ${width}`;
}

type ButtonProps = Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, "onClick"> &
  Look & {
    /** While true, `pendingLabel` replaces the content and clicks do nothing. */
    pending?: boolean | undefined;
    pendingLabel?: string | undefined;
    /** It changes something on the server; every submit button does. */
    changes?: boolean | undefined;
    icon?: JSX.Element;
    onClick?: ((event: MouseEvent) => void) | undefined;
  };

export function Button(props: ButtonProps): JSX.Element {
  const [own, look, rest] = splitProps(
    props,
    ["pending", "pendingLabel", "changes", "icon", "onClick", "class", "children"],
    ["variant", "size", "wide"],
  );
  const online = useOnline();
  const cutOff = () => !online() && (own.changes || rest.type === "submit");
  return (
    <button
      type="button"
      {...rest}
      class={`${buttonClass(look)} ${own.class ?? ""}`}
      aria-disabled={own.pending || cutOff() ? "true" : undefined}
      title={cutOff() ? "You're offline. Changes are disabled." : rest.title}
      onClick={(event) => {
        if (own.pending || cutOff()) event.preventDefault();
        else own.onClick?.(event);
      }}
    >
      <Show when={own.pending} fallback={own.icon}>
        <Spinner />
      </Show>
      <Show when={own.pending && own.pendingLabel} fallback={own.children}>
        {own.pendingLabel}
      </Show>
    </button>
  );
}

type ButtonLinkProps = Look & {
  href: string;
  icon?: JSX.Element;
  children: JSX.Element;
  class?: string | undefined;
};

export function ButtonLink(props: ButtonLinkProps): JSX.Element {
  return (
    <A href={props.href} class={`${buttonClass(props)} ${props.class ?? ""}`}>
      {props.icon}
      {props.children}
    </A>
  );
}

type IconButtonProps = Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, "onClick"> & {
  /** The accessible name; an icon by itself has none. */
  label: string;
  onClick?: ((event: MouseEvent) => void) | undefined;
};

export function iconButtonClass(): string {
  return "inline-flex size-9 shrink-0 items-center justify-center rounded-control text-muted transition-colors hover:bg-hover hover:text-text pointer-coarse:size-11";
}

export function IconButton(props: IconButtonProps): JSX.Element {
  const [own, rest] = splitProps(props, ["label", "class", "children"]);
  return (
    <button
      type="button"
      {...rest}
      aria-label={own.label}
      class={`${iconButtonClass()} ${own.class ?? ""}`}
    >
      {own.children}
    </button>
  );
}

/** The buttons at the end of a dialog or form; the primary one comes last. */
export function DialogActions(props: { children: JSX.Element }): JSX.Element {
  return (
    <div class="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{props.children}</div>
  );
}
