import { makeApps, makeDaemons, place } from './apps.ts';
import { makeCatalog } from './catalog.ts';
import { addGate, type Draft, newDraft } from './draft.ts';
import { makeNodes } from './nodes.ts';
import { makePools } from './pools.ts';
import type { Stage, Theme } from './theme.ts';
import { RARE, THEMES } from './themes.ts';
import { type Snapshot, write } from './write.ts';

/** The odd cluster of a seed, and of the themes asked for, if any: always the same to the byte. */
export function makeCluster(seed: number, asked: readonly string[] = []): Snapshot {
  const d = newDraft(seed);
  d.themes = asked.length > 0 ? [...asked] : chooseThemes(d);
  const themes = d.themes.map(themeNamed);
  const apply = (stage: Stage) => {
    for (const t of themes) t[stage]?.(d);
  };
  start(d);
  apply('start');
  makeCatalog(d);
  apply('catalog');
  makePools(d);
  apply('pools');
  makeNodes(d);
  apply('nodes');
  makeDaemons(d);
  apply('daemons');
  makeApps(d);
  apply('apps');
  place(d);
  apply('placed');
  return write(d);
}

function start(d: Draft): void {
  const r = d.random;
  d.nodeCount = r.pick([r.int(5, 10), r.int(8, 20), r.int(15, 40)]);
  d.fill = r.pick(['loose', 'mixed', 'mixed', 'tight', 'tight', 'tight', 'tight', 'tight']);
  d.zones = ['zone-a', 'zone-b', 'zone-c', 'zone-d'].slice(0, r.pick([1, 2, 3, 3, 3, 4]));
  d.families = r.int(4, 6);
  d.shortOfferings = r.chance(0.3);
  d.hostNames = r.chance(0.2);
  d.betaLabels = r.chance(0.3);
  d.classLabels = r.chance(0.5);
  if (r.chance(0.4)) addGate(d, 'SpotToSpotConsolidation=true');
  d.namespaces = [
    { name: 'default', labels: { 'kubernetes.io/metadata.name': 'default', team: 'red' } },
    { name: 'kube-system', labels: { 'kubernetes.io/metadata.name': 'kube-system' } },
    { name: 'shop', labels: { 'kubernetes.io/metadata.name': 'shop', team: 'blue' } },
  ];
}

function themeNamed(name: string): Theme {
  const theme = THEMES[name] ?? RARE[name];
  if (!theme) throw new Error(`no theme ${name}; there are ${Object.keys({ ...THEMES, ...RARE }).join(', ')}`);
  return theme;
}

function chooseThemes(d: Draft): string[] {
  const names = Object.keys(THEMES);
  const main = names[d.seed % names.length];
  if (main === undefined) throw new Error('no themes');
  // Themes that keep whole pools out of the question are mixed in less often.
  const shy = new Set(['disruption', 'emptiness', 'shield', 'deletingNodes']);
  const others = names.filter((n) => n !== main && (!shy.has(n) || d.random.chance(0.4)));
  const extra = d.random.some(others, 0, 3);
  const rare = d.seed % 200 === 199 ? ['manyTypes'] : [];
  return [main, ...extra, ...rare];
}
