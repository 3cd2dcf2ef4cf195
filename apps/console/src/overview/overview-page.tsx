// The Overview.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function OverviewPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
