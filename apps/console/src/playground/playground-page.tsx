// The Playground.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function PlaygroundPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
