import { dump } from 'js-yaml';

export interface JobManifestOptions {
  readonly image: string;
  readonly shards: number;
  /** After `decant compare`, without shard, merge and output; paths are those in `files`. */
  readonly arguments: readonly string[];
  /** Texts that the arguments name, by file name; they travel in a ConfigMap. */
  readonly files: Readonly<Record<string, string>>;
}

const NAME = 'decant-compare';
export const INPUT_FOLDER = '/input';
const RESULTS_FOLDER = '/results';

/**
 * A comparison as an Indexed Job. Every pod computes a share and leaves it on a volume that all of them see; whoever
 * finds that his was the last merges them. Should two be last, both write the same bytes.
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

const HEAD = `# Every pod computes a share of the comparison; the last one to finish merges them into
# ${RESULTS_FOLDER}/comparison.json and comparison.html on the volume.
# The volume must be one that many nodes can mount (ReadWriteMany).
`;
