import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { ICON, pageTexts } from './page-texts.ts';
import type { Content } from './reply.ts';

export interface PageFiles {
  readonly html: Content;
  readonly script: Content;
  readonly style: Content;
}

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Decant</title>
${ICON}
<link rel="stylesheet" href="/assets/page.css">
<script type="module" src="/assets/page.js"></script>
</head>
<body>
<div id="app"></div>
<noscript>The dashboard needs JavaScript; decant plan and decant explain say the same in a terminal.</noscript>
</body>
</html>
`;

export async function loadPage(): Promise<PageFiles> {
  const { script, style } = await pageTexts('main');
  return {
    html: content('text/html', HTML),
    script: content('text/javascript', script),
    style: content('text/css', style),
  };
}

function content(type: Content['type'], text: string): Content {
  const plain = Buffer.from(text);
  return {
    type,
    plain,
    gzip: gzipSync(plain, { level: 9 }),
    tag: createHash('sha256').update(plain).digest('base64url'),
  };
}
