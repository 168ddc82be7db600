import type { Draft } from './draft.ts';

/** What a theme may change, in the order in which a cluster is made. */
export type Stage = 'start' | 'catalog' | 'pools' | 'nodes' | 'daemons' | 'apps' | 'placed';
export type Theme = Partial<Record<Stage, (d: Draft) => void>>;
