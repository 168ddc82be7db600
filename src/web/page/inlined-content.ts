import { REPORT_ELEMENT, type ReportContent } from '../report-content.ts';
import { type Answer, answerFrom } from './answers.ts';
import { standStill } from './state.ts';

/** What the file brings, out of the element that holds it. */
export async function inlinedContent<T extends ReportContent>(): Promise<T> {
  const text = document.getElementById(REPORT_ELEMENT)?.textContent ?? '';
  const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(plain).json()) as T;
}

/** From now on the file answers; `others`: what is not in it as it stands. */
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
