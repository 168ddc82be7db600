import type { Taint } from '../cluster/objects.ts';
import { HOSTNAME, ZONE } from '../cluster/well-known.ts';
import type { NodeObstacle, PoolObstacle, TopologyObstacle } from '../scheduling/obstacles.ts';
import type { Requirement } from '../selection/requirement.ts';
import { type TextBy, textFor } from '../text-by.ts';
import { amounts, count } from './amounts.ts';

const NODE_OBSTACLES: TextBy<NodeObstacle, 'code'> = {
  leaving: 'being deleted',
  'not-ready': 'not Ready',
  cordoned: 'cordoned',
  rebooting: 'rebooting',
  undecodable: 'it or something on it cannot be decoded',
  shielded: 'inside its own consolidateAfter window, and destinations are shielded',
  taint: (o) => `taint ${taintText(o.taint)}`,
  'volume-limit': 'no more volumes can be attached',
  'host-port': 'host port taken',
  overdrawn: (o) => `more ${o.resources.join(' and ')} requested than it has`,
  resources: (o) => `too little ${Object.keys(o.missing).join(' and ')}`,
  label: (o) => `${labelName(o.key)} is ${o.value ?? 'not set'}, wants ${wantedText(o.wanted)}`,
  'volume-location': 'its volume cannot be reached from there',
  topology: (o) => topologyWords(o),
};

/** What keeps a pod off nodes, as text for all nodes with the same obstacle. */
export function obstacleWords(o: NodeObstacle): string {
  return textFor(NODE_OBSTACLES, 'code', o);
}

function topologyWords({ kind, inverse, key, domain, pods, maxSkew }: TopologyObstacle): string {
  const where = domain === undefined ? `without ${key}` : key === HOSTNAME ? 'there' : `in ${domain}`;
  if (inverse) return `a pod ${where} has anti-affinity to it`;
  switch (kind) {
    case 'spread':
      return `${count(pods, 'pod')} ${where} already, spread by ${labelName(key)} allows a skew of ${maxSkew}`;
    case 'affinity':
      return `no pod ${where} that it has to be with`;
    case 'anti-affinity':
      return `a pod ${where} that it must not be with`;
  }
}

/** What a pod's preferences hold against nodes that it fits on. */
export function preferenceWords(o: NodeObstacle): string {
  if (o.code === 'label') return `${labelName(o.key)} is ${o.value ?? 'not set'}, prefers ${wantedText(o.wanted)}`;
  if (o.code !== 'topology' || o.inverse) return obstacleWords(o);
  const where = o.key === HOSTNAME ? 'there' : `in ${o.domain}`;
  switch (o.kind) {
    case 'spread':
      return `${count(o.pods, 'pod')} ${where} already, spread by ${labelName(o.key)} prefers a skew of ${o.maxSkew}`;
    case 'affinity':
      return `no pod ${where} that it prefers to be with`;
    case 'anti-affinity':
      return `a pod ${where} that it prefers not to be with`;
  }
}

const POOL_OBSTACLES: TextBy<PoolObstacle, 'code'> = {
  taint: (o) => `taint ${taintText(o.taint)}`,
  limits: 'the limits of the pool are used up',
  label: (o) => `its nodes cannot have ${labelName(o.key)} ${wantedText(o.wanted)}`,
  'volume-location': 'its volume cannot be reached from there',
  topology: 'spread or affinity leaves no domain that the pool can launch in',
  resources: (o) => `its largest type lacks ${amounts(o.missing)}`,
  'no-offering': 'no offering fits',
};

/** Why no new node of a pool fits. */
export function poolObstacleWords(o: PoolObstacle): string {
  return textFor(POOL_OBSTACLES, 'code', o);
}

export function labelName(key: string): string {
  if (key === ZONE) return 'zone';
  return key === HOSTNAME ? 'host' : key;
}

export function taintText({ key, value, effect }: Taint): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`;
}

function wantedText({ complement, values, atLeast, atMost }: Requirement): string {
  const bounds = [...(atLeast === undefined ? [] : [`≥ ${atLeast}`]), ...(atMost === undefined ? [] : [`≤ ${atMost}`])];
  if (bounds.length > 0) return bounds.join(' and ');
  const names = [...values].sort().join(' or ');
  if (complement) return names === '' ? 'it set' : `anything but ${names}`;
  return names === '' ? 'it absent' : names;
}
