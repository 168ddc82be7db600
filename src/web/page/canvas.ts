/** Canvases have size limits, and phones have less memory. */
const MOST_PIXELS_A_SIDE = 16_000;

/** Sizes a canvas for the screen's pixels and returns a context in page pixels. */
export function prepared(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = Math.min(devicePixelRatio || 1, MOST_PIXELS_A_SIDE / Math.max(1, height));
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  // Setting a size clears the canvas and costs memory, even if it is the same.
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
