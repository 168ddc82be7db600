import { Markup, markup } from './markup.ts';

/** A style sheet and its hash. */
export interface Sheet {
  readonly text: string;
  /** For the Content Security Policy; the test of each page computes it. */
  readonly hash: string;
}

export interface Page {
  readonly title: string;
  readonly styles: readonly Sheet[];
  readonly body: Markup;
}

/** One self-contained HTML file whose policy allows only its own styles. */
export function framed({ title, styles, body }: Page): string {
  const sources = styles.map(({ hash }) => `'${hash}'`).join(' ');
  const policy = `default-src 'none'; style-src ${sources}; base-uri 'none'; form-action 'none'`;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
${styles.map(({ text }) => markup`<style>${new Markup(text)}</style>\n`)}</head>
<body>
${body}
</body>
</html>
`;
  return page.source;
}
