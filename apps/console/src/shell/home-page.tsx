// `/`: the Overview for members, the landing page for signed-out visitors; each in its own chunk.
import type { JSX } from "solid-js";
import { lazy, Show } from "solid-js";
import { loadOnce } from "../lib/load-once.ts";
import { useSignedIn } from "../lib/session.ts";

const Overview = lazy(loadOnce(() => import("../pages/overview/overview-page.tsx")));
const Landing = lazy(loadOnce(() => import("../pages/landing/landing-page.tsx")));

export function HomePage(): JSX.Element {
  const signedIn = useSignedIn();
  return (
    <Show when={signedIn()} fallback={<Landing />}>
      <Overview />
    </Show>
  );
}
