import { useState } from 'preact/hooks';

type Copied = 'no' | 'yes' | 'failed';

const WORDS: Readonly<Record<Copied, string>> = { no: 'Copy', yes: 'Copied', failed: 'Select and copy it by hand' };

export function CopyButton({ text }: { text: string }) {
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
