import type { NodeClassObject } from '../../catalog/cluster-location.ts';
import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import type { GivenPolicy } from '../decode/consolidation-policy.ts';
import { ObjectCollection } from '../decode/object-collection.ts';
import { DocumentReader } from './document-reader.ts';
import { readDocuments } from './read-documents.ts';
import { type RawInstanceTypes, SnapshotHeader } from './snapshot-header.ts';

export interface LoadedCluster {
  readonly objects: Omit<ClusterObjects, 'instanceTypes'>;
  /** Set if a snapshot contains its own catalog. */
  readonly instanceTypes?: RawInstanceTypes;
  /** ConsolidationPolicies, which take precedence over the blocks of the pools that they select. */
  readonly policies: readonly GivenPolicy[];
  /** Where nodes can be launched, if the input says so. */
  readonly nodeClasses: readonly NodeClassObject[];
  readonly warnings: readonly string[];
  /** Numbers of objects by kind that are not read. */
  readonly ignoredKinds: ReadonlyMap<string, number>;
}

export interface LoadOptions {
  /** Time of the decisions. By default the snapshot's, else the newest time in the input, else the clock's. */
  readonly nowMs?: number;
  readonly stdin?: AsyncIterable<Uint8Array>;
}

/** Reads a cluster from files, folders and standard input (`-`). Throws InputError; returns nothing partial. */
export async function loadCluster(paths: readonly string[], options: LoadOptions = {}): Promise<LoadedCluster> {
  const collection = new ObjectCollection();
  const header = new SnapshotHeader();
  const readers: DocumentReader[] = [];
  const sinkOf = (file: string) => {
    const documents = new DocumentReader(file, collection, header);
    collection.startFile();
    readers.push(documents);
    return { documents, collection };
  };
  await readDocuments(paths, sinkOf, options.stdin);
  const nowMs = options.nowMs ?? header.nowMs ?? collection.newestMs() ?? Date.now();
  const { objects, warnings: ofObjects } = collection.finish(nowMs, header.options, header.undecodable);
  const { policies, nodeClasses, ignoredKinds } = collection;
  const warnings = [...readers.flatMap((reader) => reader.warnings), ...ofObjects];
  return { objects, instanceTypes: header.catalog(), policies, nodeClasses, warnings, ignoredKinds };
}
