// The README's picture: node test/examples/make-first-minute.ts
import { writeFileSync } from 'node:fs';
import { firstMinute, PICTURE } from './first-minute.ts';

writeFileSync(PICTURE, await firstMinute());
