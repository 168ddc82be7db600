import { costDocument } from '../../report/cost-document.ts';
import { badFlag } from '../flags/usage-error.ts';
import { loadInput, tell } from '../input/load-input.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { print } from '../output/terminal-text.ts';
import type { CostOptions } from './flags.ts';
import { renderCost } from './render.ts';

export async function costCommand(options: CostOptions): Promise<number> {
  const { cluster, notices, notes } = await loadInput(options);
  const { by, limit, output } = options;
  const document = costDocument(cluster, by);
  if (document === undefined)
    throw badFlag('--by', by, 'namespace, workload, pool, node, or label:KEY such as label:team');
  tell(notices, notes);
  if (output === 'text') print(renderCost(document, limit));
  else print(await documentText({ ...document, groups: document.groups.slice(0, limit) }, output));
  return EXIT.ok;
}
