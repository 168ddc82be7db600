import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { restlessPool } from './restless-pool.ts';

writeFileSync(
  join(import.meta.dirname, '../../examples/restless-pool.json.gz'),
  gzipSync(restlessPool(), { level: 9 }),
);
