// The landing page.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function LandingPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
