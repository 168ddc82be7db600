import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

export type Cloud = 'aws' | 'azure' | 'gcp';

/** Prices of one region, by columns; `generate/make-bundled-tables.ts` writes it. */
export interface RegionTable {
  readonly region: string;
  /** Dates of the prices. */
  readonly onDemandAsOf: string;
  readonly spotAsOf: string;
  /** Zones by name, if no cluster narrows them. */
  readonly zones: readonly string[];
  /** Indices into the cloud's table of types. */
  readonly types: readonly number[];
  /** Dollars per hour, by position in `types`, as in all columns below. */
  readonly onDemand: readonly number[];
  /** Typical of the region; 0 if not sold as spot. */
  readonly spot: readonly number[];
  /** Indices into INTERRUPTION_BANDS. */
  readonly interruptions?: readonly number[];
  /** Spot prices by zone id; 0 if not sold as spot, −1 if not sold there at all. */
  readonly spotByZoneId?: Readonly<Record<string, readonly number[]>>;
  /** Positions of types that are no longer sold. */
  readonly retired?: readonly number[];
  /** Letters of the zones that sell the type; '' if unknown. */
  readonly soldIn?: readonly string[];
}

/** Bands of AWS's Spot Instance Advisor: share of instances interrupted within a month. */
export const INTERRUPTION_BANDS: readonly string[] = ['', '<5%', '5-10%', '10-15%', '15-20%', '>20%'];
/** The middle of each band; the lower end of the last, which is open. */
const MONTHLY_SHARES = [undefined, 0.025, 0.075, 0.125, 0.175, 0.2];
const MONTH_HOURS = 30 * 24;

/** Interruptions per hour of a node in the band; undefined if unknown. */
export function interruptionsPerHour(band: number): number | undefined {
  const share = MONTHLY_SHARES[band];
  return share === undefined ? undefined : -Math.log1p(-share) / MONTH_HOURS;
}

const CLOUDS: readonly Cloud[] = ['aws', 'azure', 'gcp'];

function isCloud(text: string): text is Cloud {
  return CLOUDS.some((cloud) => cloud === text);
}

/** Splits `aws/eu-west-1`, if there is such a table. */
export function bundledRegion(name: string): { readonly cloud: Cloud; readonly region: string } | undefined {
  const [cloud, region, ...rest] = name.split('/');
  if (!isCloud(cloud) || rest.length > 0 || !/^[a-z0-9-]+$/.test(region ?? '')) return undefined;
  return existsSync(fileOf(cloud, region)) ? { cloud, region } : undefined;
}

export function bundledNames(): string[] {
  return CLOUDS.flatMap((cloud) =>
    readdirSync(new URL(`./data/${cloud}/`, import.meta.url))
      .map((file) => `${cloud}/${file.replace('.json.gz', '')}`)
      .sort(),
  );
}

export function readRegionTable(cloud: Cloud, region: string): RegionTable {
  return JSON.parse(gunzipSync(readFileSync(fileOf(cloud, region))).toString('latin1'));
}

function fileOf(cloud: Cloud, region: string): URL {
  return new URL(`./data/${cloud}/${region}.json.gz`, import.meta.url);
}
