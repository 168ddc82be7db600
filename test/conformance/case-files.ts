import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { RecordedAnswer } from './recorded-answer.ts';

/** A cluster and what Karpenter said of it: NAME.json and NAME.answer.json, plain or gzipped. */
export interface CaseFiles {
  readonly name: string;
  readonly cluster: string;
  readonly answer: string;
}

const CASE = /^(.*)\.answer\.json(\.gz)?$/;

/** `others`: where the clusters of answers are that have none beside them. */
export function findCases(folder: string, others?: string): CaseFiles[] {
  const files = new Set(readdirSync(folder));
  const elsewhere = new Set(others === undefined ? [] : readdirSync(others));
  const found: CaseFiles[] = [];
  for (const file of files) {
    const name = CASE.exec(file)?.[1];
    if (name === undefined) continue;
    const names = [`${name}.json`, `${name}.json.gz`];
    const own = names.find((f) => files.has(f));
    const other = names.find((f) => elsewhere.has(f));
    const cluster = own === undefined ? other && join(others as string, other) : join(folder, own);
    if (cluster !== undefined) found.push({ name, cluster, answer: join(folder, file) });
  }
  return found.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}

export function readText(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

export function readAnswer(path: string): RecordedAnswer {
  return JSON.parse(readText(path)) as RecordedAnswer;
}
