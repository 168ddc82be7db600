import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJson, parseDocument } from './parse-document.ts';

const formats: readonly [text: string, name: string, json: boolean][] = [
  ['{"a": 1}', 'x.yaml', true],
  ['[{"a": 1}]', 'x.yml', true],
  ['{}', 'x.yaml', true],
  ['{ a: 1 }', 'x.yaml', false],
  ['[{ a: 1 }]', 'x.yaml', false],
  ['[]', 'x.yaml', true],
  ['{ a: 1 }', 'x.yaml.gz', false],
  ['{ a: 1 }', 'x.json', true],
  ['{ a: 1 }', '-', true],
  ['a: 1', 'x.json', false],
  ['- a', 'x.json', false],
];
for (const [text, name, json] of formats) {
  test(`${text} in ${name} is ${json ? 'JSON' : 'YAML'}`, () => assert.equal(isJson(text, name), json));
}

test('the same value from JSON and YAML, with and without a byte order mark', async () => {
  for (const text of ['{"a": [1, "b"]}', 'a: [1, b]', '\uFEFF{"a": [1, "b"]}', '\uFEFFa: [1, b]'])
    assert.deepEqual(await parseDocument(text, 'x'), { a: [1, 'b'] });
});

const refused: readonly [text: string, message: RegExp][] = [
  [' \n', /^x: the file is empty$/],
  ['{"a": ', /^x: not JSON: /],
  ['a: [', /^x: line 1, column \d+: not YAML: /],
  ['a: 1\n---\nb: 2', /^x: 2 YAML documents: allowed: one$/],
];
for (const [text, message] of refused) {
  test(`${JSON.stringify(text)} is refused`, () => assert.rejects(parseDocument(text, 'x'), { message }));
}
