// The list of models.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function ModelsPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
