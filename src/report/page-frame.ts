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

/** Any change needs a new hash: a test checks it. */
const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f6f8; --paper: #fff; --ink: #172b4d; --quiet: #505f79; --line: #e1e5ea; --shade: #f1f4f7; --good: #006644; --blocked: #8590a2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1317; --paper: #171c21; --ink: #dee4ea; --quiet: #9fadbc; --line: #2c343c; --shade: #20272e; --good: #4bce97; --blocked: #738496;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1280px; padding: 24px; background: var(--ground); color: var(--ink); font: 15px/1.45 -apple-system, "Segoe UI", Roboto, Ubuntu, "Noto Sans", sans-serif; }
h1 { margin: 4px 0; font-size: clamp(26px, 3.4vw, 40px); line-height: 1.15; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; text-wrap: balance; }
h2 { margin: 0 0 8px; font-size: 18px; }
.lead { margin: 0 0 12px; font-size: 19px; text-wrap: pretty; }
section { margin-top: 16px; padding: 18px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
.quiet { color: var(--quiet); }
figure { margin: 0; min-width: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
`;

/** For pages without the dashboard's views. */
export const STYLE_SHEET = { text: STYLE, hash: 'sha256-28fTIlstW5okBHuFLWOxXuEq/HwFZg++eu27K5BNZwc=' };
