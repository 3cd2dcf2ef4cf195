// The list of API keys.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function KeysPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
