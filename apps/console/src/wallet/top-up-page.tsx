// Where a payment returns to.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function TopUpPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
