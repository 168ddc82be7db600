import { type Fields, fields, type Row, rows, shared, text, whole } from '../read/json-shape.ts';

const CONTAINER = {
  name: shared(),
  resources: shared(),
  ports: shared(),
  restartPolicy: shared(),
};

const PROCESS = fields({
  ...CONTAINER,
  image: text(),
  args: whole(),
  env: whole(),
});

const VOLUME = fields({
  name: text(),
  persistentVolumeClaim: fields({ claimName: text() }),
  ephemeral: shared(),
  emptyDir: shared(),
  hostPath: shared(),
});

const SPEC = {
  containers: rows(fields(CONTAINER)),
  initContainers: rows(fields(CONTAINER)),
  overhead: shared(),
  resources: shared(),
  nodeSelector: shared(),
  affinity: shared(),
  tolerations: shared(),
  topologySpreadConstraints: shared(),
  resourceClaims: shared(),
  nodeName: shared(),
  priority: shared(),
  priorityClassName: shared(),
  volumes: rows(VOLUME),
};

export const POD_SPEC: Fields = fields(SPEC);
/** With what tells which program runs, and with which settings. */
export const PROCESS_SPEC: Fields = fields({ ...SPEC, containers: rows(PROCESS) });

const NO_ROWS: readonly Row[] = [];

/** A list of objects in a row. */
export function rowsIn(list: unknown): readonly Row[] {
  return (list as readonly Row[] | undefined) ?? NO_ROWS;
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
