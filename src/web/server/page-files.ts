import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Content } from './reply.ts';

/** The page, ready to be sent. */
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
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 3h12v3H2zM4 7h8v3H4zM6 11h4v3H6z' fill='%232f7d4f'/%3E%3C/svg%3E">
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
  const { script, style } = import.meta.url.endsWith('.ts') ? await bundled() : await built();
  return {
    html: content('text/html', HTML),
    script: content('text/javascript', script),
    style: content('text/css', style),
  };
}

interface Texts {
  readonly script: string;
  readonly style: string;
}

/** As scripts/build.js has written them. */
async function built(): Promise<Texts> {
  const text = (name: string) => readFile(new URL(`../page/${name}`, import.meta.url), 'utf8');
  return { script: await text('page.js'), style: await text('page.css') };
}

/** From a clone: from the sources, which takes a tenth of a second. */
async function bundled(): Promise<Texts> {
  const { bundlePage } = await import('./page-bundle.ts');
  return bundlePage(fileURLToPath(new URL('../page/', import.meta.url)));
}

function content(type: Content['type'], text: string): Content {
  return { type, gzip: gzipSync(text, { level: 9 }), tag: createHash('sha256').update(text).digest('base64url') };
}
