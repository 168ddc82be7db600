import { useState } from 'preact/hooks';

type Copied = 'no' | 'yes' | 'failed';

const WORDS = { yes: 'Copied', failed: 'Select and copy it by hand' } as const;

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
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
      {copied === 'no' ? label : WORDS[copied]}
    </button>
  );
}
