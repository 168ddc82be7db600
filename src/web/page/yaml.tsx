import type { PolicyConfiguration } from '../../lab/policy-configuration.ts';
import { CopyButton } from './copy-button.tsx';

/** Configuration with a copy button. */
export function Configuration({ configuration: { pieces } }: { configuration: PolicyConfiguration }) {
  if (pieces.length === 0) return <p class="quiet">Nothing to set.</p>;
  return (
    <>
      {pieces.map(({ where, text }) => (
        <figure key={where} class="yaml">
          <figcaption>
            <span>{where}</span>
            <CopyButton text={text} />
          </figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
          <pre tabIndex={0}>{text}</pre>
        </figure>
      ))}
    </>
  );
}
