import { NOW_MS } from './parameters.ts';
import { timeText } from './quantity-text.ts';
import type { Random } from './random.ts';

export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [field: string]: unknown;
}

export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly creationTimestamp: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly unknown[];
}

const DAY_MS = 24 * 3600 * 1000;

export function daysAgo(days: number): number {
  return NOW_MS - days * DAY_MS;
}

/** Namespace '' is "cluster-scoped". */
export function metadata(random: Random, namespace: string, name: string, createdMs: number): Metadata {
  const scoped = namespace === '' ? {} : { namespace };
  return { name, ...scoped, uid: random.uid(), creationTimestamp: timeText(createdMs) };
}

/** A true condition in the form that Karpenter's objects have. */
export function condition(type: string, sinceMs: number) {
  return { type, status: 'True', reason: type, message: '', lastTransitionTime: timeText(sinceMs) };
}

export function controller(apiVersion: string, kind: string, name: string, uid: string) {
  return [{ apiVersion, kind, name, uid, controller: true }];
}
