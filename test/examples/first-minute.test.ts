import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { firstMinute, PICTURE } from './first-minute.ts';

test('the README’s picture has the words of npm start (node test/examples/make-first-minute.ts)', async () => {
  assert.deepEqual(words(readFileSync(PICTURE, 'utf8')), words(await firstMinute()));
});

/** Without the log and without figures: those change with every improvement of the search. */
function words(picture: string): string[] {
  const lines = [...picture.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, line]) => line);
  return lines
    .filter((line) => !/^(Mon| {5})/.test(line))
    .map((line) => line.replace(/[\d.,]+/g, '0').replace(/ +/g, ' '));
}
