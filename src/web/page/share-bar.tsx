/** A bar from 0 to 1, as a picture of a figure beside it. */
export function ShareBar({ share }: { share: number }) {
  return (
    <svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width={100 * share} height="1" />
    </svg>
  );
}
