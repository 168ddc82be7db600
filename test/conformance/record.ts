import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { findCases, readAnswer, readText } from './case-files.ts';
import type {
  RecordedAlone,
  RecordedAnswer,
  RecordedCommand,
  RecordedMethod,
  RecordedNode,
} from './recorded-answer.ts';

/**
 * node test/conformance/record.ts --from DIR --to DIR NAME…
 *
 * Keeps the named cases in the repository: compressed, and the answers without what nobody compares.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string' }, to: { type: 'string' } },
});
if (values.from === undefined || values.to === undefined) throw new Error('--from DIR and --to DIR are needed');

function keepCommand({ decision, nodes, replacements, savings }: RecordedCommand): RecordedCommand {
  return { decision, nodes, replacements, savings };
}

function keepAlone(alone: RecordedAlone): RecordedAlone {
  const { reason, unstable, others } = alone;
  return { ...keepCommand(alone), reason, unstable, others: others?.map(keepCommand) };
}

function keepNode(n: RecordedNode): RecordedNode {
  const { name, nodePool, candidate, blockedBy, price, disruptionCost, rescheduleDisruptionCost, savingsRatio } = n;
  const kept = { name, nodePool, candidate, blockedBy, price, disruptionCost, rescheduleDisruptionCost, savingsRatio };
  return { ...kept, shouldDisrupt: n.shouldDisrupt, alone: n.alone && keepAlone(n.alone) };
}

function keepMethod({ command, stable, distinct, validation }: RecordedMethod): RecordedMethod {
  return { command: keepCommand(command), stable, distinct: distinct?.map(keepCommand), validation };
}

function keepAnswer({ budgets, nodePoolTotals, nodes, methods }: RecordedAnswer): RecordedAnswer {
  const { empty, multi, single } = methods;
  const kept = { empty: keepMethod(empty), multi: keepMethod(multi), single: keepMethod(single) };
  return { budgets, nodePoolTotals, nodes: nodes?.map(keepNode) ?? [], methods: kept };
}

mkdirSync(values.to, { recursive: true });
const wanted = new Set(positionals);
for (const c of findCases(values.from)) {
  if (!wanted.delete(c.name)) continue;
  const write = (file: string, text: string) =>
    writeFileSync(join(values.to as string, file), gzipSync(text, { level: 9 }));
  write(`${basename(c.name)}.json.gz`, readText(c.cluster));
  write(`${basename(c.name)}.answer.json.gz`, JSON.stringify(keepAnswer(readAnswer(c.answer))));
}
if (wanted.size > 0) throw new Error(`no such case in ${values.from}: ${[...wanted].join(', ')}`);
