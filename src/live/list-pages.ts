import { problemText } from '../config/problem.ts';
import { FieldProblem } from '../kube/field-problem.ts';
import { JsonProblem } from '../kube/read/json-problem.ts';
import type { Fields } from '../kube/read/json-shape.ts';
import { type ApiClient, ApiError } from './api-client.ts';
import type { ItemTaker, ListMetadata, ObjectReader } from './object-reader.ts';
import { pathOf, type Resource } from './resource.ts';

const PAGE_SIZE = 500;
/** Of one page: more than 500 objects of the largest size. */
const MOST_PAGE_BYTES = 1 << 29;

export interface Listing {
  readonly resource: Resource;
  readonly shape: Fields;
  /** Selectors. */
  readonly query?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Listed {
  /** The resource version to watch from: of the first page. */
  readonly version: string;
  readonly pages: number;
}

/** Lists all objects of a kind, page by page. Throws ApiError, with 410 if the list took too long and must be restarted. */
export async function listPages(
  client: ApiClient,
  reader: ObjectReader,
  { resource, shape, query: selectors, signal }: Listing,
  items: ItemTaker,
): Promise<Listed> {
  let token = '';
  for (let pages = 1; ; pages++) {
    const query = { ...selectors, limit: String(PAGE_SIZE), ...(token === '' ? {} : { continue: token }) };
    const body = await wholePage(await client.stream({ method: 'GET', path: pathOf(resource), query, signal }));
    const page = pageOf(body);
    if (page.continue === '') return { version: page.resourceVersion, pages };
    if (page.continue === token) throw badAnswer(resource, 'the same page was returned twice');
    token = page.continue;
  }

  function pageOf(body: readonly Uint8Array[]): ListMetadata {
    try {
      return reader.readPage(body, resource, shape, items);
    } catch (problem) {
      if (problem instanceof JsonProblem) throw badAnswer(resource, `the response is not JSON: ${problem.message}`);
      if (!(problem instanceof FieldProblem)) throw problem;
      throw badAnswer(resource, problemText(problem.of(`the response is not a list of ${resource.plural}`)));
    }
  }

  async function wholePage(stream: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of stream) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > MOST_PAGE_BYTES) throw badAnswer(resource, 'a page is too large');
    }
    return pieces;
  }
}

function badAnswer({ plural }: Resource, what: string): ApiError {
  return new ApiError(`list ${plural}: ${what}`, { status: 200, reason: 'BadAnswer' });
}
