import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { REPORT_ELEMENT, type ReportContent } from '../report-content.ts';
import type { PageName } from './page-bundle.ts';
import { ICON, pageTexts } from './page-texts.ts';

export interface Report {
  readonly title: string;
  readonly page: Exclude<PageName, 'main'>;
  /** Views to include, in any order. */
  readonly views: readonly string[];
  readonly content: ReportContent;
  /** The -o text output, shown if scripts are disabled. */
  readonly words: string;
}

/**
 * The dashboard's views as one self-contained file. Its policy allows only its own script and style, by hash; the
 * content is base64, so no name in it can become markup.
 */
export async function reportFile({ title, page, views, content, words }: Report): Promise<string> {
  const { script, style } = await pageTexts(page);
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const data = gzipSync(JSON.stringify(content), { level: 9 }).toString('base64');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
${ICON}
<style>${inElement(style, 'style')}</style>
</head>
<body>
<div id="app"></div>
<noscript><pre>${escaped(words)}</pre></noscript>
<script type="application/gzip" id="${REPORT_ELEMENT}" data-views="${escaped(views.join(' '))}">${data}</script>
<script type="module">${inElement(script, 'script')}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Our own text, which must not close its element. */
function inElement(text: string, element: string): string {
  if (text.toLowerCase().includes(`</${element}`)) throw new Error(`text closes its ${element} element`);
  return text;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text between tags and for quoted attributes: names come from a cluster. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]);
}
