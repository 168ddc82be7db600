import { dump } from 'js-yaml';

export interface JobManifestOptions {
  readonly image: string;
  readonly shards: number;
  /** Arguments of `decant compare`, without shard, merge and output; paths refer to `files`. */
  readonly arguments: readonly string[];
  /** Input files by name, for the ConfigMap. */
  readonly files: Readonly<Record<string, string>>;
}

const NAME = 'decant-compare';
export const INPUT_FOLDER = '/input';
const RESULTS_FOLDER = '/results';

/**
 * A comparison as an Indexed Job. Every pod writes its shard to a shared volume; the last one merges them. If two finish
 * last, both write the same bytes.
 */
export function jobManifest({ image, shards, arguments: given, files }: JobManifestOptions): string {
  const hasFiles = Object.keys(files).length > 0;
  const metadata = { name: NAME, labels: { 'app.kubernetes.io/name': NAME } };
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata,
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
  };
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata,
    spec: {
      completionMode: 'Indexed',
      completions: shards,
      parallelism: shards,
      backoffLimitPerIndex: 2,
      template: {
        metadata: { labels: metadata.labels },
        spec: {
          restartPolicy: 'Never',
          securityContext: { runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 },
          containers: [
            {
              name: 'compare',
              image,
              args: ['compare', ...given, '--shard', String(shards), '--results', RESULTS_FOLDER],
              resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '2Gi' } },
              volumeMounts: [
                { name: 'results', mountPath: RESULTS_FOLDER },
                ...(hasFiles ? [{ name: 'input', mountPath: INPUT_FOLDER, readOnly: true }] : []),
              ],
            },
          ],
          volumes: [
            { name: 'results', persistentVolumeClaim: { claimName: NAME } },
            ...(hasFiles ? [{ name: 'input', configMap: { name: NAME } }] : []),
          ],
        },
      },
    },
  };
  const input = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: files };
  const objects = [...(hasFiles ? [input] : []), claim, job];
  return [HEAD, objects.map((object) => dump(object, { noRefs: true, lineWidth: -1 })).join('---\n')].join('');
}

const HEAD = `# Every pod computes a shard of the comparison; the last one to finish merges them into
# ${RESULTS_FOLDER}/comparison.json and comparison.html on the volume.
# The volume needs access mode ReadWriteMany.
`;
