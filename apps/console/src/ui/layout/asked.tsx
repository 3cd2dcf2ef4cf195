// The part of a page that an address can ask for: its first field takes the focus, or its first button, or the text
// that says why there is neither.
import type { JSX } from "solid-js";
import { onCleanup } from "solid-js";
import type { PageActionId } from "../../lib/page-actions.ts";
import { useAsked } from "../../lib/use-asked.ts";

const fields = "input:not([hidden], [type=radio]:not(:checked)), select, textarea";
const wanted = [
  `form :is(${fields})`,
  fields,
  "button:not(:disabled), a[href]",
  "p[tabindex]",
] as const;

export function Asked(props: { as: PageActionId; children: JSX.Element }): JSX.Element {
  let place: HTMLDivElement | undefined;
  const find = () =>
    wanted.flatMap((one) => place?.querySelector<HTMLElement>(one) ?? []).find(() => true);
  const observer = new MutationObserver(() => focus());
  const stop = () => observer.disconnect();
  onCleanup(stop);
  const focus = () => {
    const found = find();
    if (found === undefined) return;
    observer.disconnect();
    found.scrollIntoView({ block: "center" });
    found.focus({ preventScroll: true });
  };
  useAsked(props.as, () => {
    if (place) observer.observe(place, { attributes: true, childList: true, subtree: true });
    // The focus is not taken from someone who goes on with something else.
    for (const event of ["pointerdown", "keydown"]) addEventListener(event, stop, { once: true });
    // After the page's heading has taken the focus.
    setTimeout(focus);
  });
  return (
    <div class="contents" ref={place}>
      {props.children}
    </div>
  );
}
