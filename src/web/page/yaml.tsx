import { useState } from 'preact/hooks';
import type { PolicyConfiguration } from '../../lab/policy-configuration.ts';

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

type Copied = 'no' | 'yes' | 'failed';

const WORDS: Readonly<Record<Copied, string>> = { no: 'Copy', yes: 'Copied', failed: 'Select and copy it by hand' };

function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState<Copied>('no');
  // Pages without HTTPS have no clipboard.
  const copy = () => {
    const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    done.then(
      () => setCopied('yes'),
      () => setCopied('failed'),
    );
    setTimeout(() => setCopied('no'), 2500);
  };
  return (
    <button type="button" onClick={copy} aria-live="polite">
      {WORDS[copied]}
    </button>
  );
}
