// Of an emailed link that no longer works: says so, and how long such links work.
import type { JSX } from "solid-js";
import { Banner } from "../../ui/notices/banner.tsx";

export function ExpiredLink(props: { lifetime: string }): JSX.Element {
  return (
    <>
      <Banner tone="warning" urgent>
        This link has expired or was already used.
      </Banner>
      <p class="text-muted">{props.lifetime}</p>
    </>
  );
}
