import type { InstanceType } from '../engine/cluster/objects.ts';
import { awsInstanceTypes, readAwsTable } from './aws-table.ts';
import { CatalogError, reject } from './catalog-error.ts';
import { decodeInstanceTypes } from './kwok-format.ts';
import { applyPriceOverlay, decodePriceOverlay } from './price-overlay.ts';
import { readDocument } from './read-document.ts';
import { applyUnavailable, decodeUnavailable } from './unavailable-offerings.ts';
import { readFields, readList, refuseOtherFields } from './untyped.ts';

const BUNDLED_CATALOG = 'aws/us-east-1';
/** Spot over on-demand price where no spot price is known; docs/catalog.md says why. */
const DEFAULT_SPOT_RATIO = 0.4;
const API_VERSION = 'decant.sh/v1alpha1';

export interface CatalogSpec {
  /** 'aws/us-east-1' or a file; goes before `entries`. With neither, the bundled catalog. */
  readonly name?: string;
  /** `instanceTypes` of a snapshot. */
  readonly entries?: { readonly source: string; readonly entries: readonly unknown[] };
  /** File of price changes. */
  readonly overlay?: string;
  /** File of offerings that cannot be launched. */
  readonly unavailable?: string;
  /** Spot price over on-demand price, for the bundled catalog. */
  readonly spotRatio?: number;
  /** Told of what is odd and harmless, such as a rule that matches nothing. */
  readonly warn?: (message: string) => void;
}

/** Reads a catalog and the files that change it. Throws CatalogError on input that it cannot use. */
export async function loadCatalog(spec: CatalogSpec): Promise<InstanceType[]> {
  const warn = spec.warn ?? (() => {});
  let types = await readInstanceTypes(spec, warn);
  if (spec.overlay !== undefined) {
    const rules = decodePriceOverlay(
      spec.overlay,
      listIn(await readDocument(spec.overlay), spec.overlay, 'CatalogOverlay', 'overlays'),
    );
    const result = applyPriceOverlay(types, rules);
    for (const rule of result.unmatched) warn(`${rule.where}: matches no offering of the catalog`);
    types = result.types;
  }
  if (spec.unavailable !== undefined) {
    const document = listIn(
      await readDocument(spec.unavailable),
      spec.unavailable,
      'UnavailableOfferings',
      'offerings',
    );
    const result = applyUnavailable(types, decodeUnavailable(spec.unavailable, document));
    for (const rule of result.unmatched) warn(`${rule.where}: matches no offering of the catalog`);
    types = result.types;
  }
  return types;
}

async function readInstanceTypes(spec: CatalogSpec, warn: (message: string) => void): Promise<InstanceType[]> {
  const ratio = spec.spotRatio ?? DEFAULT_SPOT_RATIO;
  if (!(ratio > 0 && ratio <= 1))
    reject('spot ratio', ratio, 'above 0 and at most 1: EC2 sells no spot above the on-demand price');
  const bundled = spec.name === BUNDLED_CATALOG || (spec.name === undefined && spec.entries === undefined);
  if (bundled) return awsInstanceTypes(readAwsTable(), ratio);
  if (spec.spotRatio !== undefined) warn(`spot ratio ${ratio} is not used: this catalog has spot prices of its own`);
  if (spec.name === undefined)
    return spec.entries === undefined ? [] : decodeInstanceTypes(spec.entries.source, spec.entries.entries);
  return readCatalogFile(spec.name);
}

async function readCatalogFile(file: string): Promise<InstanceType[]> {
  const entries = listIn(await readCatalogDocument(file), file, 'Catalog', 'instanceTypes');
  if (entries.length === 0) throw new CatalogError(`${file}: has no instance types`);
  return decodeInstanceTypes(file, entries);
}

async function readCatalogDocument(name: string): Promise<unknown> {
  try {
    return await readDocument(name);
  } catch (error) {
    // "aws/eu-west-1" is a wish for a bundled catalog, not for a file of that name.
    if (!(error instanceof CatalogError) || !/^[a-z]+\/[a-z0-9-]+$/.test(name)) throw error;
    throw new CatalogError(`catalog ${name}: no such file, and not bundled; bundled is ${BUNDLED_CATALOG}`);
  }
}

/** The list that a document is, or holds under its field: bare, or with apiVersion and kind. */
function listIn(document: unknown, file: string, kind: string, field: string): readonly unknown[] {
  if (Array.isArray(document)) return document;
  const fields = readFields(document, file);
  const apiVersion = fields.get('apiVersion') ?? API_VERSION;
  if (apiVersion !== API_VERSION) reject(`${file}: apiVersion`, apiVersion, API_VERSION);
  if ((fields.get('kind') ?? kind) !== kind) reject(`${file}: kind`, fields.get('kind'), kind);
  // A snapshot is a catalog too, and has other fields; a document that names its kind has none.
  if (fields.has('kind')) refuseOtherFields(fields, ['apiVersion', 'kind', 'metadata', field], file);
  return readList(fields.get(field), `${file}: ${field}`);
}
