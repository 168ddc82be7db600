/** Work within a longer one, whose progress each pause reports. */
export function* pausing<T, P>(
  steps: Generator<unknown, T, undefined>,
  progress: P,
): Generator<P, T, boolean | undefined> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield progress;
  }
}

/** Runs work that pauses now and then to its end. */
export function resultOf<T>(steps: Generator<unknown, T, undefined>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
