import type { StateAnswer } from './api.ts';

/** What a report carries in place of a server: a file with the page's views and all that they ask for. */
export interface ReportContent {
  /** Where it is about one cluster. */
  readonly state?: StateAnswer;
  /** Answers by path, such as /api/lab. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** Id of the element that holds it, gzipped, in base64; its views are in `data-views`. */
export const REPORT_ELEMENT = 'report';
