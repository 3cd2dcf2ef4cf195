// One model.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function ModelPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
