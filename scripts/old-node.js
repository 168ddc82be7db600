// Must run on old Nodes, like whoever imports it: newer exports of Node's modules are only read after the check.
const [major, minor] = process.versions.node.split('.').map(Number);

/** What to say about a Node that is too old; undefined if it is not. */
export const oldNode =
  major > 22 || (major === 22 && minor >= 18)
    ? undefined
    : `needs Node 22.18 or later, and this is ${process.versions.node}`;
