// Buttons that are pending while the change they make is under way, and the small ones at the end of rows.
import type { ComponentProps, JSX } from "solid-js";
import { splitProps } from "solid-js";
import { Button } from "./button.tsx";

type ChangeButtonProps = Omit<ComponentProps<typeof Button>, "pending" | "onClick"> & {
  change: { readonly isPending: boolean; readonly mutate: () => void };
};

export function ChangeButton(props: ChangeButtonProps): JSX.Element {
  const [own, rest] = splitProps(props, ["change"]);
  return (
    <Button changes {...rest} pending={own.change.isPending} onClick={() => own.change.mutate()} />
  );
}

type RowButtonProps = {
  text: string;
  /** Names the row to screen readers, where several have such a button. */
  of: string;
  onClick: () => void;
};

export function RowButton(props: RowButtonProps): JSX.Element {
  return (
    <Button
      size="small"
      variant="ghost"
      changes
      aria-label={`${props.text} ${props.of}`}
      onClick={() => props.onClick()}
    >
      {props.text}
    </Button>
  );
}
