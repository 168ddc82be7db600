import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as z from 'zod';
import { DEFAULT_CONTROLLER_SETTINGS, STOCK_CONTROLLER_SETTINGS } from './controller-settings.ts';
import { disruptionBlock } from './disruption-block.ts';
import { SETTING_FLAGS } from './setting-flags.ts';

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly description?: string;
  readonly pattern?: string;
  readonly maxItems?: number;
}

const schema = z.toJSONSchema(disruptionBlock, { target: 'openapi-3.0', io: 'input' }) as JsonSchema;
const page = (name: string) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

test('the schema can be written as OpenAPI, with the patterns of the documents', () => {
  const { consolidationGracePeriod, consolidateAfter, budgets, balancedK } = schema.properties ?? {};
  assert.equal(consolidationGracePeriod.pattern, '^(([0-9]+(s|m|h))+|Never)$');
  assert.equal(consolidateAfter.pattern, '^(([0-9]+(s|m|h))+|Never)$');
  assert.equal(budgets.maxItems, 50);
  assert.equal(budgets.items?.properties?.nodes.pattern, '^((100|[0-9]{1,2})%|[0-9]+)$');
  assert.equal(balancedK.anyOf?.length, 2);
});

test('every pattern means the same to RE2, which has no lookaround and no back references', () => {
  const patterns = JSON.stringify(schema).match(/"pattern":"[^"]*"/g) ?? [];
  assert.ok(patterns.length >= 8);
  for (const pattern of patterns) assert.doesNotMatch(pattern, /\(\?|\\\\[1-9]/);
});

test('every field has a description, and a row in docs/configuration.md', () => {
  const rows = page('configuration.md');
  const visit = (at: string, { properties = {}, items }: JsonSchema) => {
    if (items !== undefined) visit(`${at}[]`, items);
    for (const [name, member] of Object.entries(properties)) {
      const path = at === '' ? name : `${at}.${name}`;
      if (name !== 'enabled') assert.ok(member.description, `${path} has no description`);
      if (member.properties === undefined)
        assert.ok(rows.includes(`\n| \`${path}\` |`), `${path} is not in the document`);
      visit(path, member);
    }
  };
  visit('', schema);
});

test('every setting has a row in docs/settings.md, with its default and its stock value', () => {
  const rows = page('settings.md');
  for (const each of SETTING_FLAGS) {
    const row = `\n| \`--${each.flag}\` | \`${each.env}\` | ${each.show(DEFAULT_CONTROLLER_SETTINGS)} | ${each.show(STOCK_CONTROLLER_SETTINGS)} |`;
    assert.ok(rows.includes(row), `no row beginning with ${row.trim()}`);
  }
});
