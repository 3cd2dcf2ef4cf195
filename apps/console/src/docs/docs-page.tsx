// The Docs.
import type { JSX } from "solid-js";
import { SkeletonRows } from "../ui/skeleton.tsx";

export default function DocsPage(): JSX.Element {
  return <SkeletonRows rows={8} />;
}
