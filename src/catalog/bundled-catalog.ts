import type { InstanceType } from '../engine/cluster/objects.ts';
import { type AwsTypeTable, awsInstanceTypes, awsTypesWithoutOfferings } from './aws-types.ts';
import { AZURE_RULES } from './azure-types.ts';
import { GCP_RULES } from './gcp-types.ts';
import type { Zone } from './region-offerings.ts';
import { bundledRegion, type Cloud, readRegionTable } from './region-table.ts';
import { sizedInstanceTypes } from './sized-types.ts';
import { readTypes, type TypeTable } from './type-table.ts';

export interface BundledCatalog {
  readonly types: InstanceType[];
  /** `aws/eu-west-1`. */
  readonly name: string;
  readonly onDemandAsOf: string;
  readonly spotAsOf: string;
}

export interface BundledChoice {
  readonly cloud: Cloud;
  readonly region: string;
  /** Default: every zone of the region. */
  readonly zones?: readonly Zone[];
  /** Every zone of the region beside `zones`. */
  readonly everyZone?: boolean;
  /** AWS only: replaces `karpenter.k8s.aws/` in labels. */
  readonly labelPrefix?: string;
}

/** All bundled types of AWS as in a region, bundled or not, without prices. */
export function awsTypesIn(region: string, labelPrefix: string | undefined): InstanceType[] {
  const isBundled = bundledRegion(`aws/${region}`) !== undefined;
  const prices = isBundled ? readRegionTable('aws', region) : undefined;
  return awsTypesWithoutOfferings(readTypes<AwsTypeTable>('aws'), region, prices, labelPrefix);
}

/** Bundled types and prices of a region. */
export function bundledCatalog({ cloud, region, zones: own, everyZone, labelPrefix }: BundledChoice): BundledCatalog {
  const prices = readRegionTable(cloud, region);
  const others = prices.zones.filter((name) => !own?.some((zone) => zone.name === name)).map((name) => ({ name }));
  const zones = own === undefined || everyZone ? [...(own ?? []), ...others] : own;
  const about = { name: `${cloud}/${region}`, onDemandAsOf: prices.onDemandAsOf, spotAsOf: prices.spotAsOf };
  if (cloud === 'aws') {
    return { ...about, types: awsInstanceTypes(readTypes<AwsTypeTable>(cloud), prices, zones, labelPrefix) };
  }
  const rules = cloud === 'azure' ? AZURE_RULES : GCP_RULES;
  return { ...about, types: sizedInstanceTypes(readTypes<TypeTable>(cloud), prices, zones, rules) };
}
