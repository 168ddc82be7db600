import type { NodeClassObject } from '../../catalog/cluster-location.ts';
import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import type { GivenPolicy } from '../decode/consolidation-policy.ts';
import { ObjectCollection } from '../decode/object-collection.ts';
import { DocumentReader } from './document-reader.ts';
import { readDocuments } from './read-documents.ts';
import { type RawInstanceTypes, SnapshotHeader } from './snapshot-header.ts';

export interface LoadedCluster {
  readonly objects: Omit<ClusterObjects, 'instanceTypes'>;
  /** If a snapshot brought its own catalog. */
  readonly instanceTypes?: RawInstanceTypes;
  /** ConsolidationPolicies, which count before the blocks of the pools that they select. */
  readonly policies: readonly GivenPolicy[];
  /** Where nodes can be launched, as far as the input says. */
  readonly nodeClasses: readonly NodeClassObject[];
  readonly warnings: readonly string[];
  /** How many objects of which kinds nothing here reads. */
  readonly ignoredKinds: ReadonlyMap<string, number>;
}

export interface LoadOptions {
  /** The time to decide at. Without it the snapshot's, else the newest time in the input, else the clock's. */
  readonly nowMs?: number;
  readonly stdin?: AsyncIterable<Uint8Array>;
}

/** Reads a cluster from files, folders and standard input (`-`). Throws InputError; nothing partial is returned. */
export async function loadCluster(paths: readonly string[], options: LoadOptions = {}): Promise<LoadedCluster> {
  const collection = new ObjectCollection();
  const header = new SnapshotHeader();
  const readers: DocumentReader[] = [];
  const sinkOf = (file: string) => {
    const documents = new DocumentReader(file, collection, header);
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
