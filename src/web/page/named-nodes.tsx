import type { ComponentChildren } from 'preact';
import { linkedNames } from './linked-names.ts';
import { nodeHref } from './navigation.ts';

/** A sentence with links to its nodes. */
export function NamedNodes({ text, nodes }: { text: string; nodes: readonly string[] }): ComponentChildren {
  return linkedNames(text, nodes).map((piece, i) =>
    piece.isNode ? (
      <a key={`${i} ${piece.text}`} href={nodeHref(piece.text)}>
        {piece.text}
      </a>
    ) : (
      piece.text
    ),
  );
}
