import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Width of an element in pixels; 0 until measured. */
export function useWidth(element: RefObject<Element | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measured = element.current as Element;
    const observer = new ResizeObserver(() => setWidth(measured.clientWidth));
    setWidth(measured.clientWidth);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
