/** The label by which the ConsolidationPolicy of one NodePool selects it: NodePools need not have labels. */
export const POLICY_LABEL = 'decant.sh/policy';

const LONGEST = 63;

/** The name of an object as a label value, which must be shorter: the end of a long one becomes a hash. */
export function labelValue(name: string): string {
  if (name.length <= LONGEST) return name;
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  const end = hash.toString(36).padStart(7, '0');
  return `${name.slice(0, LONGEST - end.length - 1)}-${end}`;
}
