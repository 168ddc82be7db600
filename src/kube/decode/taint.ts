import type { Taint, Toleration } from '../../engine/cluster/objects.ts';
import { decodeChoice, integer, type JsonObject, objects, requiredText, text } from './field-value.ts';

const OPERATORS = ['', 'Equal', 'Exists', 'Lt', 'Gt'] as const;

export function decodeTaints(value: unknown, path: string): readonly Taint[] {
  return objects(value, path, (raw, at) => ({
    key: requiredText(raw.key, `${at}.key`),
    value: text(raw.value, `${at}.value`),
    effect: text(raw.effect, `${at}.effect`),
  }));
}

export function decodeTolerations(value: unknown, path: string): readonly Toleration[] {
  return objects(value, path, decodeToleration);
}

function decodeToleration(raw: JsonObject, path: string): Toleration {
  const tolerationSeconds = integer(raw.tolerationSeconds, `${path}.tolerationSeconds`);
  return {
    key: text(raw.key, `${path}.key`),
    operator: decodeChoice(raw.operator ?? '', OPERATORS, `${path}.operator`),
    value: text(raw.value, `${path}.value`),
    effect: text(raw.effect, `${path}.effect`),
    ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
  };
}
