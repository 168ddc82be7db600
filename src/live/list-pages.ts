import { problemText } from '../config/problem.ts';
import { FieldProblem } from '../kube/field-problem.ts';
import { JsonProblem } from '../kube/read/json-problem.ts';
import type { Fields } from '../kube/read/json-shape.ts';
import { type ApiClient, ApiError } from './api-client.ts';
import type { ItemTaker, ListMetadata, ObjectReader } from './object-reader.ts';
import { pathOf, type Resource } from './resource.ts';

const PAGE_SIZE = 500;
/** Of a page that is read whole; 500 pods are usually 5 MB. A larger one is asked for again in parts. */
const MOST_PAGE_BYTES = 64 << 20;
/** As many objects of the largest size as fit. */
const LEAST_PAGE_SIZE = 20;

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
  let [token, size] = ['', PAGE_SIZE];
  for (let pages = 1; ; ) {
    const query = { ...selectors, limit: String(size), ...(token === '' ? {} : { continue: token }) };
    const body = await wholePage(await client.stream({ method: 'GET', path: pathOf(resource), query, signal }));
    if (body === undefined) {
      if (size === LEAST_PAGE_SIZE) throw badAnswer(resource, 'a page is too large');
      size = Math.max(LEAST_PAGE_SIZE, size >> 2);
      continue;
    }
    const page = pageOf(body);
    if (page.continue === '') return { version: page.resourceVersion, pages };
    if (page.continue === token) throw badAnswer(resource, 'the same page was returned twice');
    token = page.continue;
    pages++;
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
}

/** undefined: it is too large. */
async function wholePage(stream: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[] | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MOST_PAGE_BYTES) return undefined;
  }
  return pieces;
}

function badAnswer({ plural }: Resource, what: string): ApiError {
  return new ApiError(`list ${plural}: ${what}`, { status: 200, reason: 'BadAnswer' });
}
