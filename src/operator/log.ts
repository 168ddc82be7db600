export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export const LOG_FORMATS = ['json', 'text'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = (typeof LOG_FORMATS)[number];
export type LogFields = Readonly<Record<string, unknown>>;

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly write: (line: string) => void;
  readonly nowMs: () => number;
}

/** Fixed order of the first fields. */
const LINE = { time: '', level: '', message: '' };

/** One line per event: a constant message with fields. */
export class Log {
  private readonly options: LogOptions;
  private readonly least: number;

  constructor(options: LogOptions) {
    this.options = options;
    this.least = LOG_LEVELS.indexOf(options.level);
  }

  debug(message: string, fields?: LogFields): void {
    this.line('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.line('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.line('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.line('error', message, fields);
  }

  private line(level: LogLevel, message: string, fields: LogFields = {}): void {
    if (LOG_LEVELS.indexOf(level) < this.least) return;
    const { format, write, nowMs } = this.options;
    const time = new Date(nowMs()).toISOString();
    write(
      format === 'json'
        ? `${JSON.stringify({ ...LINE, ...fields, time, level, message })}\n`
        : `${time} ${level.toUpperCase().padEnd(5)} ${oneLine(message)}${asText(fields)}\n`,
    );
  }
}

function asText(fields: LogFields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) =>
        ` ${key}=${typeof value === 'string' && /^[\w./:-]+$/.test(value) ? value : JSON.stringify(value)}`,
    )
    .join('');
}

/** External text cannot start a new line. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]+\s*/g, ' ');
}

export function errorInWords(error: unknown): string {
  return oneLine(error instanceof Error ? error.message || error.name : String(error));
}
