import { REPORT_ELEMENT, type ReportContent } from '../report-content.ts';
import { type Answer, answerFrom } from './answers.ts';
import { standStill } from './state.ts';

/** Reads the report's content from its element. */
export async function inlinedContent<T extends ReportContent>(): Promise<T> {
  const text = document.getElementById(REPORT_ELEMENT)?.textContent ?? '';
  const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(plain).json()) as T;
}

/** Lets the report answer; `others` answers paths that the content does not have. */
export function answerFromContent(
  { state, answers }: ReportContent,
  others: (path: string, left?: AbortSignal | null) => Promise<Answer<unknown>> | undefined = () => undefined,
): void {
  answerFrom(async (path, { signal }) => {
    if (Object.hasOwn(answers, path)) return { data: answers[path] };
    return others(path, signal) ?? { failure: { status: 404, message: 'this is not in the report' } };
  });
  standStill(state);
}
