// Whether content is wider than its container. Only then may the container scroll: a scroll container
// captures a sticky header, which then could not stick below the page's top bar.
import { type Accessor, createSignal, onCleanup, onMount } from "solid-js";

export type Fit = {
  readonly isTight: Accessor<boolean>;
  readonly watchPlace: (element: HTMLElement) => void;
  readonly watchContent: (element: HTMLElement) => void;
};

export function createFit(): Fit {
  const [isTight, setTight] = createSignal(false);
  let place: HTMLElement | undefined;
  let content: HTMLElement | undefined;
  // `offsetWidth`, not `clientWidth`: a scroll bar that appears must not change the answer.
  const measure = () => {
    if (place && content) setTight(content.offsetWidth > place.offsetWidth);
  };
  onMount(() => {
    const observer = new ResizeObserver(measure);
    if (place) observer.observe(place);
    if (content) observer.observe(content);
    measure();
    onCleanup(() => observer.disconnect());
  });
  return {
    isTight,
    watchPlace(element) {
      place = element;
    },
    watchContent(element) {
      content = element;
    },
  };
}
