import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Markup, markup } from '../../report/markup.ts';
import { REPORT_ELEMENT, type ReportContent } from '../report-content.ts';
import type { PageName } from './page-bundle.ts';
import { ICON, pageTexts } from './page-texts.ts';

export interface Report {
  readonly title: string;
  readonly page: Exclude<PageName, 'main'>;
  /** Views of the page, in any order. */
  readonly views: readonly string[];
  readonly content: ReportContent;
  /** What -o text says, for those who let no script run. */
  readonly words: string;
}

/**
 * The dashboard's views as one file that asks for nothing else. It may run and wear nothing but its own, by hash; what
 * it shows is base64, in which no name can be anything but data.
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
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${new Markup(ICON)}
<style>${inElement(style, 'style')}</style>
</head>
<body>
<div id="app"></div>
<noscript><pre>${words}</pre></noscript>
<script type="application/gzip" id="${REPORT_ELEMENT}" data-views="${views.join(' ')}">${data}</script>
<script type="module">${inElement(script, 'script')}</script>
</body>
</html>
`.source;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Our own text, which ends where its element does. */
function inElement(text: string, element: string): Markup {
  if (text.toLowerCase().includes(`</${element}`)) throw new Error(`a ${element} that ends itself`);
  return new Markup(text);
}
