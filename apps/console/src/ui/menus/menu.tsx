// A menu that opens from a button: arrows move, letters jump, Esc closes and returns the focus.
import { DropdownMenu } from "@kobalte/core/dropdown-menu";
import { useNavigate } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { accountBase } from "../../lib/account-address.ts";
import { buttonClass, iconButtonClass } from "../buttons/button.tsx";
import { Check, ChevronDown, Ellipsis } from "../icons.ts";
import { useOnline } from "../states/use-online.tsx";

type MenuProps = {
  /** The accessible name of the trigger, unless its text is. */
  label?: string | undefined;
  /** Of a button that looks like others; three dots without. */
  text?: string | undefined;
  size?: "small" | undefined;
  trigger?: JSX.Element;
  triggerClass?: string | undefined;
  children: JSX.Element;
  placement?: "bottom-end" | "bottom-start" | "top-start" | undefined;
};

const openingMs = 400;

export function Menu(props: MenuProps): JSX.Element {
  let trigger: HTMLElement | undefined;
  let openedAtMs = 0;
  /**
   * The press that opens the menu may end on an item of it: until the menu is placed, it is drawn in the corner of the
   * page. Later the end of a press that began on the button does choose an item, as in menus of systems.
   */
  const ignoreOpeningPress = (content: HTMLElement) => {
    let isPressed = false;
    content.addEventListener("pointerdown", () => (isPressed = true), true);
    const listener = (event: Event) => {
      if (!isPressed && performance.now() - openedAtMs < openingMs) event.stopPropagation();
      isPressed = false;
    };
    content.addEventListener("pointerup", listener, true);
  };
  return (
    <DropdownMenu
      placement={props.placement ?? "bottom-end"}
      gutter={6}
      modal={false}
      onOpenChange={(open) => {
        if (open) openedAtMs = performance.now();
      }}
    >
      <DropdownMenu.Trigger
        ref={(element: HTMLElement) => {
          trigger = element;
        }}
        class={props.triggerClass ?? (props.text ? buttonClass(props) : iconButtonClass())}
        aria-label={props.label}
      >
        <Show
          when={props.text}
          fallback={props.trigger ?? <Ellipsis class="size-4" aria-hidden="true" />}
        >
          <span class="truncate">{props.text}</span>
          <ChevronDown class="size-4 shrink-0 text-muted" aria-hidden="true" />
        </Show>
      </DropdownMenu.Trigger>
      {/* Inside its landmark, so that screen readers do not find it outside the page. */}
      <DropdownMenu.Portal
        mount={trigger?.closest<HTMLElement>("[role=dialog], header, main, nav") ?? document.body}
      >
        <DropdownMenu.Content
          ref={ignoreOpeningPress}
          class="z-50 max-h-(--kb-popper-content-available-height) min-w-48 max-w-80 animate-appear overflow-y-auto rounded-card border border-border bg-raised p-1 shadow-popover focus:outline-none"
        >
          {props.children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu>
  );
}

const itemClass =
  "flex min-h-8 w-full items-center gap-2.5 rounded-control px-2.5 py-1 text-base outline-none select-none data-highlighted:bg-hover data-disabled:opacity-60 pointer-coarse:min-h-11";

type MenuItemProps = {
  children: JSX.Element;
  icon?: JSX.Element;
  onSelect: () => void;
  /** It changes something on the server, so it is off while offline. */
  changes?: boolean | undefined;
  destructive?: boolean | undefined;
};

export function MenuItem(props: MenuItemProps): JSX.Element {
  const online = useOnline();
  const cutOff = () => props.changes === true && !online();
  return (
    <DropdownMenu.Item
      class={`${itemClass} ${props.destructive ? "text-danger" : ""}`}
      disabled={cutOff()}
      title={cutOff() ? "You're offline. Changes are disabled." : undefined}
      onSelect={props.onSelect}
    >
      <ItemIcon icon={props.icon} />
      {props.children}
    </DropdownMenu.Item>
  );
}

function ItemIcon(props: { icon: JSX.Element }): JSX.Element {
  return (
    <Show when={props.icon}>
      <span class="text-muted" aria-hidden="true">
        {props.icon}
      </span>
    </Show>
  );
}

type MenuLinkProps = { href: string; icon?: JSX.Element; children: JSX.Element };

/** A real link, so that it opens in a new tab too; within the console it navigates in place. */
export function MenuLink(props: MenuLinkProps): JSX.Element {
  const navigate = useNavigate();
  const isPath = () => props.href.startsWith("/");
  return (
    <DropdownMenu.Item
      as="a"
      href={isPath() ? accountBase + props.href : props.href}
      class={`${itemClass} no-underline`}
      onSelect={() => {
        if (isPath()) navigate(props.href);
        else location.assign(props.href);
      }}
      onClick={(event: MouseEvent) => event.preventDefault()}
    >
      <ItemIcon icon={props.icon} />
      {props.children}
    </DropdownMenu.Item>
  );
}

export function MenuSeparator(): JSX.Element {
  return <DropdownMenu.Separator class="mx-1 my-1 border-border" />;
}

type MenuChoicesProps<Value extends string> = {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  choices: readonly { value: Value; label: string; icon?: JSX.Element }[];
};

export function MenuChoices<Value extends string>(props: MenuChoicesProps<Value>): JSX.Element {
  const choose = (value: string) => {
    const choice = props.choices.find((known) => known.value === value);
    if (choice) props.onChange(choice.value);
  };
  return (
    <DropdownMenu.RadioGroup value={props.value} onChange={choose}>
      <DropdownMenu.GroupLabel class="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">
        {props.label}
      </DropdownMenu.GroupLabel>
      <For each={props.choices}>
        {(choice) => (
          <DropdownMenu.RadioItem value={choice.value} class={itemClass} closeOnSelect={false}>
            <span class="text-muted" aria-hidden="true">
              {choice.icon}
            </span>
            {choice.label}
            <DropdownMenu.ItemIndicator class="ms-auto">
              <Check class="size-4" aria-hidden="true" />
            </DropdownMenu.ItemIndicator>
          </DropdownMenu.RadioItem>
        )}
      </For>
    </DropdownMenu.RadioGroup>
  );
}

type MenuCheckProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: JSX.Element;
};

export function MenuCheck(props: MenuCheckProps): JSX.Element {
  return (
    <DropdownMenu.CheckboxItem
      class={itemClass}
      checked={props.checked}
      onChange={props.onChange}
      closeOnSelect={false}
    >
      <span class="flex size-4 shrink-0 items-center justify-center rounded-[4px] border border-control">
        <DropdownMenu.ItemIndicator>
          <Check class="size-3.5" aria-hidden="true" />
        </DropdownMenu.ItemIndicator>
      </span>
      {props.children}
    </DropdownMenu.CheckboxItem>
  );
}
