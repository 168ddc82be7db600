import { yaml } from '../src/crd/crds.ts';
import { type AccessRule, accessRules } from './access-rules.ts';

/** The chart's roles: exactly what the controller does, because both are generated from one list. */
export function roleTemplates(): ReadonlyMap<string, string> {
  const { observe, act, steer, rolloutsObserved, rollouts, podsProxy, reviews, leases } = accessRules();
  return new Map([
    [
      'clusterrole.yaml',
      role('ClusterRole', {
        rules: observe,
        under: {
          [ACTING]: act,
          [STEERING]: steer,
          [SEEING_ROLLOUTS]: rolloutsObserved,
          [ROLLING]: rollouts,
          '.Values.podsProxy': podsProxy,
          [REVIEWING]: reviews,
        },
      }),
    ],
    ['role-leases.yaml', role('Role', { rules: leases, namespace: '{{ .Release.Namespace }}', suffix: '-leases' })],
  ]);
}

const ACTING = 'eq .Values.mode "act"';
/** Also where steering was turned off: what it left is removed. */
const STEERING = 'and (eq .Values.mode "act") (hasKey .Values.switches "steer")';
const SEEING_ROLLOUTS = 'hasKey .Values.switches "rollouts"';
/** Also where rollouts were turned off: what a command left is removed. */
const ROLLING = 'and (eq .Values.mode "act") (hasKey .Values.switches "rollouts")';
const REVIEWING = 'and .Values.dashboard.enabled (eq .Values.dashboard.auth "kubernetes")';

interface RoleSketch {
  readonly rules: readonly AccessRule[];
  /** Additional rules, by the condition that requires them. */
  readonly under?: Readonly<Record<string, readonly AccessRule[]>>;
  readonly namespace?: string;
  readonly suffix?: string;
}

function role(kind: 'Role' | 'ClusterRole', { rules, under = {}, namespace, suffix = '' }: RoleSketch): string {
  const name = `{{ include "decant.fullname" . }}${suffix}`;
  const metadata = [
    'metadata:',
    `  name: ${name}`,
    ...(namespace === undefined ? [] : [`  namespace: ${namespace}`]),
    '  labels:',
    '    {{- include "decant.labels" . | nindent 4 }}',
  ].join('\n');
  const more = Object.entries(under).map(
    ([condition, some]) => `{{- if ${condition} }}\n${indented(some)}{{- end }}\n`,
  );
  return `\
{{- if .Values.rbac.create }}
apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}
${metadata}
rules:
${indented(rules)}${more.join('')}---
apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}Binding
${metadata}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ${kind}
  name: ${name}
subjects:
  - kind: ServiceAccount
    name: {{ include "decant.serviceAccountName" . }}
    namespace: {{ .Release.Namespace }}
{{- end }}
`;
}

function indented(rules: readonly AccessRule[]): string {
  return yaml(rules).replace(/^(?=.)/gm, '  ');
}
