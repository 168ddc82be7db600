#!/usr/bin/env node
// kubectl_complete-decant: kubectl runs it to complete `kubectl decant …` (kubectl completion, "plugins").
import { program } from '../program.ts';
import { complete } from './complete.ts';

const found = await complete(program(), process.argv.slice(2));
// The last line is cobra's directive: 4, no files; 0, files too.
process.stdout.write([...found, found.length > 0 ? ':4' : ':0', ''].join('\n'));
