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

/** So that every line begins alike. */
const LINE = { time: '', level: '', message: '' };

/** One line for each thing that happened: what, in words that stay the same, and what it was about, as fields. */
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

/** What comes from outside cannot make a second line of its own. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]+\s*/g, ' ');
}

/** An error as one line for people. */
export function errorInWords(error: unknown): string {
  return oneLine(error instanceof Error ? error.message || error.name : String(error));
}
