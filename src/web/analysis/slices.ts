/** Other requests wait no longer than this for the thread. */
const SLICE_MS = 25;

/** Runs the steps to their end and yields the thread between slices; `paused` gets the last step and may throw to stop. */
export async function inSlices<S, R>(steps: Generator<S, R>, paused: (step: S) => void): Promise<R> {
  let resumedMs = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - resumedMs < SLICE_MS) continue;
    paused(step.value);
    await new Promise((resolve) => setTimeout(resolve));
    resumedMs = performance.now();
  }
}
