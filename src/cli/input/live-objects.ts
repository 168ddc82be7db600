import type { JsonObject } from '../../kube/decode/field-value.ts';
import type { ApiClient } from '../../live/api-client.ts';

const PAGE = '500';

/** All objects of a cluster-scoped kind; undefined if the API server has no such kind. */
export async function liveObjects(client: ApiClient, path: string): Promise<readonly JsonObject[] | undefined> {
  const { ApiError } = await import('../../live/api-client.ts');
  const objects: JsonObject[] = [];
  let next: string | undefined;
  try {
    do {
      const query = { limit: PAGE, ...(next === undefined ? {} : { continue: next }) };
      const page = await client.request<ListPage>({ method: 'GET', path, query });
      objects.push(...(page.items ?? []));
      next = page.metadata?.continue || undefined;
    } while (next !== undefined);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
  return objects;
}

interface ListPage {
  readonly items?: readonly JsonObject[];
  readonly metadata?: { readonly continue?: string };
}
