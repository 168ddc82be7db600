/** A column of text or numbers; `unseen`: the title is for screen readers only. */
type Title = string | { readonly number: string } | { readonly unseen: string };

export function ColumnTitles({ of }: { of: readonly Title[] }) {
  return (
    <thead>
      <tr>
        {of.map((title) => {
          const [kind, text] = typeof title === 'string' ? ['text', title] : Object.entries(title)[0];
          return (
            <th key={text} scope="col" class={kind === 'number' ? kind : undefined}>
              {kind === 'unseen' ? <span class={kind}>{text}</span> : text}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
