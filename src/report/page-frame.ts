import { Markup, markup, NOTHING } from './markup.ts';

/** A style or script of a page, with the hash that lets the browser take it. */
export interface Sheet {
  readonly text: string;
  /** Of the text, as the Content Security Policy has it; a test of each page computes it. */
  readonly hash: string;
}

export interface Page {
  readonly title: string;
  readonly styles: readonly Sheet[];
  readonly script?: Sheet;
  readonly body: Markup;
}

/** One HTML file that asks for nothing else, and that may run and wear nothing but its own. */
export function framed({ title, styles, script, body }: Page): string {
  const sources = (sheets: readonly Sheet[]) => sheets.map(({ hash }) => `'${hash}'`).join(' ');
  const scripts = script === undefined ? '' : ` script-src ${sources([script])};`;
  const policy = `default-src 'none';${scripts} style-src ${sources(styles)}; base-uri 'none'; form-action 'none'`;
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
${script === undefined ? NOTHING : markup`<script>${new Markup(script.text)}</script>\n`}</body>
</html>
`;
  return page.source;
}
