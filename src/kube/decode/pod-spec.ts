import { type Fields, fields, type Row, rows, shared, text, whole } from '../read/json-shape.ts';

/** Columns of a pod's spec and its containers: of a Pod, or of a DaemonSet's template. */
export const CONTAINERS = 20;
export const INIT_CONTAINERS = 21;
export const OVERHEAD = 22;
export const POD_RESOURCES = 23;
export const NODE_SELECTOR = 24;
export const AFFINITY = 25;
export const TOLERATIONS = 26;
export const SPREAD = 27;
export const RESOURCE_CLAIMS = 28;
export const NODE_NAME = 29;
export const PRIORITY = 30;
export const PRIORITY_CLASS = 31;
export const VOLUMES = 32;

export const CONTAINER_NAME = 0;
export const CONTAINER_RESOURCES = 1;
export const CONTAINER_PORTS = 2;
export const CONTAINER_RESTART = 3;
/** Of Deployments only: pods are many, and nothing of this decides about them. */
export const CONTAINER_IMAGE = 4;
export const CONTAINER_ARGS = 5;
export const CONTAINER_ENV = 6;

export const VOLUME_NAME = 0;
export const VOLUME_CLAIM = 1;
export const VOLUME_EPHEMERAL = 2;
export const VOLUME_EMPTY_DIR = 3;
export const VOLUME_HOST_PATH = 4;

const CONTAINER = {
  name: shared(CONTAINER_NAME),
  resources: shared(CONTAINER_RESOURCES),
  ports: shared(CONTAINER_PORTS),
  restartPolicy: shared(CONTAINER_RESTART),
};

const PROCESS = fields({
  ...CONTAINER,
  image: text(CONTAINER_IMAGE),
  args: whole(CONTAINER_ARGS),
  env: whole(CONTAINER_ENV),
});

const VOLUME = fields({
  name: text(VOLUME_NAME),
  persistentVolumeClaim: fields({ claimName: text(VOLUME_CLAIM) }),
  ephemeral: shared(VOLUME_EPHEMERAL),
  emptyDir: shared(VOLUME_EMPTY_DIR),
  hostPath: shared(VOLUME_HOST_PATH),
});

const SPEC = {
  containers: rows(CONTAINERS, fields(CONTAINER)),
  initContainers: rows(INIT_CONTAINERS, fields(CONTAINER)),
  overhead: shared(OVERHEAD),
  resources: shared(POD_RESOURCES),
  nodeSelector: shared(NODE_SELECTOR),
  affinity: shared(AFFINITY),
  tolerations: shared(TOLERATIONS),
  topologySpreadConstraints: shared(SPREAD),
  resourceClaims: shared(RESOURCE_CLAIMS),
  nodeName: shared(NODE_NAME),
  priority: shared(PRIORITY),
  priorityClassName: shared(PRIORITY_CLASS),
  volumes: rows(VOLUMES, VOLUME),
};

export const POD_SPEC: Fields = fields(SPEC);
/** With what tells which program runs, and with which settings. */
export const PROCESS_SPEC: Fields = fields({ ...SPEC, containers: rows(CONTAINERS, PROCESS) });

const NO_ROWS: readonly Row[] = [];

export function rowsIn(row: Row, column: number): readonly Row[] {
  return (row[column] as readonly Row[] | undefined) ?? NO_ROWS;
}

/** Small numbers for raw values, the same for the identical value; 0 if absent. Used in keys. */
export class RawIds {
  private readonly ids = new Map<unknown, number>();

  of(raw: unknown): number {
    if (raw === undefined || raw === null) return 0;
    const known = this.ids.get(raw);
    if (known !== undefined) return known;
    const id = this.ids.size + 1;
    this.ids.set(raw, id);
    return id;
  }
}
