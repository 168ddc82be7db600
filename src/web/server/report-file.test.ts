import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { reportFile } from './report-file.ts';

const EVIL = '</script></noscript></pre><img src=x onerror=alert(1)>';

test('a report may run and wear its own, by hash, and nothing that a name brings', async () => {
  const html = await reportFile({
    title: EVIL,
    page: 'report',
    views: ['lab'],
    content: { answers: { '/api/lab': { version: 0, name: EVIL } } },
    words: EVIL,
  });
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const [, script = ''] = /<script type="module">([\s\S]*?)<\/script>/.exec(html) ?? [];
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
  const [, policy = ''] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html) ?? [];
  assert.equal(
    policy.replaceAll('&#39;', "'"),
    `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`,
  );
  const rest = html.replace(script, '').replace(style, '');
  assert.ok(!rest.includes('<img'), 'what is put in is text');
  assert.doesNotMatch(rest, /<(img|iframe|object|base)|url\(|@import|<link (?!rel="icon" href="data:)/);
  assert.equal(rest.match(/<\/script>/g)?.length, 2);
  const [, data = ''] = /<script type="application\/gzip"[^>]*>([^<]*)<\/script>/.exec(html) ?? [];
  assert.equal(JSON.parse(gunzipSync(Buffer.from(data, 'base64')).toString()).answers['/api/lab'].name, EVIL);
});
