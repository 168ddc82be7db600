import type { StructuralSchema } from './structural-schema.ts';

export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
  /** Above 0: shown with -o wide only. */
  readonly priority?: number;
}

export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: ResourceNames & { readonly listKind: string; readonly singular: string };
    readonly scope: 'Cluster';
    readonly versions: readonly [ResourceVersion];
  };
}

interface ResourceNames {
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

interface ResourceVersion {
  readonly name: string;
  readonly served: true;
  readonly storage: true;
  readonly additionalPrinterColumns: readonly PrinterColumn[];
  readonly schema: { readonly openAPIV3Schema: StructuralSchema };
  readonly subresources?: { readonly status: Readonly<Record<string, never>> };
}

export interface Sketch {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly description: string;
  readonly spec: StructuralSchema;
  readonly status: StructuralSchema;
  /** Spec and status are written separately, with separate permissions. */
  readonly statusSubresource: boolean;
  readonly columns: readonly PrinterColumn[];
}

/** Cluster-scoped, with one version. */
export function customResource(sketch: Sketch): CustomResourceDefinition {
  const { group, kind, plural, shortNames, description, spec, status, statusSubresource } = sketch;
  const openAPIV3Schema: StructuralSchema = {
    description,
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec,
      status,
    },
  };
  const categories = ['decant'];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List`, shortNames, categories },
      scope: 'Cluster',
      versions: [
        {
          name: sketch.version,
          served: true,
          storage: true,
          additionalPrinterColumns: sketch.columns,
          schema: { openAPIV3Schema },
          ...(statusSubresource ? { subresources: { status: {} } } : {}),
        },
      ],
    },
  };
}

export const AGE: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
