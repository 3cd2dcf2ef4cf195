// One API key.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function KeyPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
