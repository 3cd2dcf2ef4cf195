// Settings: security.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function SecurityPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
