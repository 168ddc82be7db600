import type { StateAnswer } from './api.ts';

/** The data of a report: replaces the server for the views in the file. */
export interface ReportContent {
  /** Set if it is about one cluster. */
  readonly state?: StateAnswer;
  /** Answers by path, such as /api/lab. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** Id of the element that holds the content, gzipped, in base64; its views are in `data-views`. */
export const REPORT_ELEMENT = 'report';
