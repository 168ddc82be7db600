import { Log, type LogLevel } from '../../src/operator/log.ts';

type Line = Readonly<Record<string, unknown>> & { readonly level: string; readonly message: string };

/** A log that tests can read. */
export function logLines(level: LogLevel = 'debug'): { readonly log: Log; readonly lines: Line[] } {
  const lines: Line[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Line);
  return { lines, log: new Log({ level, format: 'json', write, nowMs: () => 0 }) };
}
