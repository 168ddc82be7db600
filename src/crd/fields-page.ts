import type { CustomResourceDefinition } from './custom-resource.ts';
import type { StructuralSchema } from './structural-schema.ts';

/** docs/crds.md: the custom resources, field by field. */
export function fieldsPage(crds: readonly CustomResourceDefinition[]): string {
  return `${[INTRODUCTION, ...crds.map(section)].join('\n\n')}\n`;
}

const INTRODUCTION = `# Custom resources

Made by \`npm run -s generate\` from the schemas in \`src/config\`, like \`deploy/crds\`. What the fields of a disruption
block mean, and their defaults, is in [configuration.md](configuration.md). How to install them: [installing.md](installing.md).

The API server refuses what \`decant validate\` refuses, with the same words where a schema has none of its own: types,
ranges and values by the schema, what fields mean together by rules in CEL. Three things it sees differently:

- An unknown field is refused under strict field validation, which is kubectl's default. Clients that do not ask
  for it have the field dropped.
- \`null\` is the same as absent to \`decant validate\`; the API server refuses it.
- That two policies select one pool is no matter of one object: it is the condition \`Conflict\` of both.`;

function section({ metadata, spec }: CustomResourceDefinition): string {
  const { kind, shortNames } = spec.names;
  const [{ name, schema, additionalPrinterColumns }] = spec.versions;
  const { description, properties } = schema.openAPIV3Schema;
  const rows = ['spec', 'status'].flatMap((part) => fieldRows(properties![part], part, true));
  return [
    `## ${kind}`,
    `\`${spec.group}/${name}\`, \`${metadata.name}\`, short ${shortNames.map((s) => `\`${s}\``).join(', ')}. ${description}`,
    `\`kubectl get ${shortNames.at(-1)}\` prints ${additionalPrinterColumns.map((c) => c.name).join(', ')}.`,
    ['| field | type | allowed | meaning |', '|---|---|---|---|', ...rows].join('\n'),
    ...ruleList(properties!.spec),
  ].join('\n\n');
}

function fieldRows(schema: StructuralSchema, path: string, required: boolean): string[] {
  const { properties, items, additionalProperties, description = '' } = schema;
  const inner = [
    ...Object.entries(properties ?? {}).flatMap(([name, each]) => {
      return fieldRows(each, `${path}.${name}`, schema.required?.includes(name) ?? false);
    }),
    ...(items === undefined ? [] : fieldRows(items, `${path}[]`, true)),
    ...(additionalProperties === undefined ? [] : fieldRows(additionalProperties, `${path}.*`, true)),
  ];
  // A list of objects is described by their fields, an object by its own.
  const told = description === '' && (inner.length > 0 || /[\].*]$/.test(path));
  if (told) return inner;
  const cells = [`\`${path}\``, typeText(schema) + (required ? ', required' : ''), allowedText(schema), description];
  return [`| ${cells.map(cell).join(' | ')} |`, ...inner];
}

function typeText(schema: StructuralSchema): string {
  if (schema['x-kubernetes-int-or-string']) return 'integer or string';
  if (schema.type === 'array') return `list of ${typeText(schema.items!)}s`;
  return schema.type ?? '';
}

function allowedText(schema: StructuralSchema): string {
  const [rule] = schema.type === 'object' ? [] : (schema['x-kubernetes-validations'] ?? []);
  if (rule !== undefined) return rule.message;
  if (schema.items !== undefined) return schema.items.type === 'object' ? '' : allowedText(schema.items);
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ');
  const { minimum, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (minimum === undefined || minimum === Number.MIN_SAFE_INTEGER) return '';
  return maximum === Number.MAX_SAFE_INTEGER ? `at least ${minimum}` : `${minimum} to ${maximum}`;
}

/** Rules over several fields. */
function ruleList(schema: StructuralSchema): string[] {
  const rules = (schema['x-kubernetes-validations'] ?? []).map(({ message, fieldPath = '' }) => {
    return `- \`spec${fieldPath}\`: ${message}.`;
  });
  return rules.length === 0 ? [] : [`Fields together:\n\n${rules.join('\n')}`];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
