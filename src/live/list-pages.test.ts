import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shapeOfKind } from '../kube/decode/kind-table.ts';
import type { ApiClient, ApiRequest } from './api-client.ts';
import { listPages } from './list-pages.ts';
import { ObjectReader } from './object-reader.ts';
import { RESOURCES } from './resource.ts';

const TEXT = 'x'.repeat(1_000_000);

function podText(i: number): string {
  const metadata = { name: `p${i}`, namespace: 'hostile', uid: `u${i}`, resourceVersion: '1' };
  const env = [{ name: 'TEXT', value: TEXT }];
  return JSON.stringify({ metadata, spec: { containers: [{ name: 'c', env }] }, status: { phase: 'Pending' } });
}

/** An API server with this many pods of a megabyte, in pages of the size that is asked for. */
class LargePods implements ApiClient {
  readonly count: number;
  mostBytes = 0;

  constructor(count: number) {
    this.count = count;
  }

  async request<T>(): Promise<T> {
    throw new Error('lists are streamed');
  }

  async stream({ query }: ApiRequest): Promise<AsyncIterable<Uint8Array>> {
    const start = Number(query?.continue ?? 0);
    return this.page(start, Math.min(this.count, start + Number(query?.limit)));
  }

  private async *page(start: number, end: number): AsyncGenerator<Uint8Array> {
    const metadata = { resourceVersion: '1', ...(end < this.count ? { continue: `${end}` } : {}) };
    yield Buffer.from(`{"metadata":${JSON.stringify(metadata)},"items":[`);
    for (let i = start, bytes = 0; i < end; i++) {
      const piece = Buffer.from(`${i > start ? ',' : ''}${podText(i)}`);
      bytes += piece.length;
      this.mostBytes = Math.max(this.mostBytes, bytes);
      yield piece;
    }
    yield Buffer.from(']}');
  }
}

test('large objects are read in small pages', async () => {
  const server = new LargePods(150);
  const names: unknown[] = [];
  const items = { take: (row: Record<string, unknown>) => names.push(row.name), setAside: assert.fail };
  const listing = { resource: RESOURCES.Pod, shape: shapeOfKind('Pod') };
  const { pages } = await listPages(server, new ObjectReader(), listing, items);
  assert.equal(new Set(names).size, 150);
  assert.equal(names.length, 150);
  assert.equal(pages, 5);
  assert.ok(server.mostBytes < 70_000_000, `${server.mostBytes} bytes at once`);
});
