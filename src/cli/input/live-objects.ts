import type { JsonObject } from '../../kube/decode/field-value.ts';
import type { ApiClient } from '../../live/api-client.ts';

const PAGE = '500';

/** All objects of a cluster-scoped kind; undefined if the API server has no such kind. */
export async function liveObjects(client: ApiClient, path: string): Promise<readonly JsonObject[] | undefined> {
  const { absentOn } = await import('../../live/api-client.ts');
  const objects: JsonObject[] = [];
  let next: string | undefined;
  do {
    const query = { limit: PAGE, ...(next === undefined ? {} : { continue: next }) };
    const page = await absentOn([404], client.request<ListPage>({ method: 'GET', path, query }));
    if (page === undefined) return undefined;
    objects.push(...(page.items ?? []));
    next = page.metadata?.continue || undefined;
  } while (next !== undefined);
  return objects;
}

interface ListPage {
  readonly items?: readonly JsonObject[];
  readonly metadata?: { readonly continue?: string };
}
