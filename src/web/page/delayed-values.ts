import { useEffect, useRef, useState } from 'preact/hooks';

/** Throttles a value; the last one always arrives. */
export function useThrottled<T>(value: T, ms: number): T {
  const [passed, setPassed] = useState(value);
  const last = useRef(0);
  useEffect(() => {
    const timer = setTimeout(
      () => {
        last.current = performance.now();
        setPassed(value);
      },
      Math.max(0, last.current + ms - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [value, ms]);
  return passed;
}

/** The value once it has been stable for this long; undefined until then. */
export function useRested<T>(value: T, ms: number): T | undefined {
  const [rested, setRested] = useState<{ readonly value: T } | undefined>(undefined);
  useEffect(() => {
    const timer = setTimeout(() => setRested({ value }), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested !== undefined && rested.value === value ? value : undefined;
}

/** The last defined value. */
export function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}
