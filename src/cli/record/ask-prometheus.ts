import * as z from 'zod';
import { type Answers, type MetricSeries, QUERIES, type QueryName } from '../../lab/history/prometheus-history.ts';
import { UsageError } from '../flags/usage-error.ts';

/** Prometheus answers at most 11,000 samples of a series at once. */
const MOST_SAMPLES = 360;
const PATIENCE_MS = 60_000;

const answer = z.object({
  data: z.object({
    result: z.array(
      z.object({ metric: z.record(z.string(), z.string()), values: z.array(z.tuple([z.number(), z.string()])) }),
    ),
  }),
});

/** All series of a history between two times, in seconds since the epoch. Throws UsageError. */
export async function askPrometheus(url: string, startS: number, endS: number, stepS: number): Promise<Answers> {
  const names = Object.keys(QUERIES) as QueryName[];
  const answers: Partial<Record<QueryName, readonly MetricSeries[]>> = {};
  for (const name of names) answers[name] = await seriesOf(url, QUERIES[name], startS, endS, stepS);
  return answers as Answers;
}

async function seriesOf(
  url: string,
  query: string,
  startS: number,
  endS: number,
  stepS: number,
): Promise<readonly MetricSeries[]> {
  const found = new Map<string, { labels: MetricSeries['labels']; samples: [number, number][] }>();
  for (let from = startS; from <= endS; from += MOST_SAMPLES * stepS) {
    const to = Math.min(endS, from + (MOST_SAMPLES - 1) * stepS);
    for (const { metric, values } of await asked(url, { query, start: from, end: to, step: stepS })) {
      const { __name__: _, ...labels } = metric;
      const key = JSON.stringify(Object.entries(labels).sort());
      const series = found.get(key) ?? { labels, samples: [] };
      found.set(key, series);
      for (const [second, value] of values)
        if (Number.isFinite(Number(value))) series.samples.push([second, Number(value)]);
    }
  }
  return [...found.values()];
}

async function asked(url: string, parameters: Readonly<Record<string, string | number>>) {
  const asking = new URL('api/v1/query_range', url.endsWith('/') ? url : `${url}/`);
  for (const [name, value] of Object.entries(parameters)) asking.searchParams.set(name, String(value));
  let text: string;
  try {
    const response = await fetch(asking, { signal: AbortSignal.timeout(PATIENCE_MS) });
    text = await response.text();
    if (!response.ok) throw new Error(`status ${response.status}: ${text.slice(0, 200)}`);
  } catch (error) {
    const { message, cause } = error as Error;
    throw new UsageError(`--prometheus ${url}: ${cause instanceof Error ? cause.message : message}`);
  }
  const reading = answer.safeParse(parsed(text));
  if (!reading.success) throw new UsageError(`--prometheus ${url}: not a response of the Prometheus HTTP API`);
  return reading.data.data.result;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
