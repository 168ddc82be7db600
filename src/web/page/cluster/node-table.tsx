import { useState } from 'preact/hooks';
import { decisionWords } from '../../../report/decision.ts';
import { grouped } from '../../../report/money.ts';
import { CsvButton } from '../csv-button.tsx';
import { nodeHref, query, remember } from '../navigation.ts';
import { Scrolling } from '../scrolling.tsx';
import { type NodeFacts, wholePercent } from './node-facts.ts';
import { COLUMNS, type ColumnName, orderText, tableOrder, turned, wanted } from './table-order.ts';

/** Rows shown at first: a table of thousands is slow. */
const FIRST_ROWS = 50;

/** The picture as a table. */
export function NodeTable({ nodes, all }: { nodes: readonly NodeFacts[]; all: number }) {
  // In the address, so that the way back from a node leads to the same rows.
  const find = query.value.get('find') ?? '';
  const order = tableOrder(query.value.get('sort'));
  const [most, setMost] = useState(FIRST_ROWS);
  const rows = wanted(nodes, find, order);
  const title = nodes.length === all ? 'All nodes' : 'These nodes';
  return (
    <section class="card" aria-labelledby="nodes-title">
      <div class="title">
        <h2 id="nodes-title">{title}</h2>
        <label>
          Find{' '}
          <input
            type="search"
            placeholder="name, pool, type, reason, drifted"
            value={find}
            onInput={(event) => remember({ find: event.currentTarget.value || undefined })}
          />
        </label>
        <output>
          {rows.length === all ? grouped(String(all)) : `${grouped(String(rows.length))} of ${grouped(String(all))}`}
        </output>
        <CsvButton name="nodes" rows={() => csvRows(rows)} />
      </div>
      <Scrolling name="Table of nodes">
        <table class="nodes">
          <thead>
            <tr>
              {COLUMNS.map(({ column, title: name, isNumber }) => (
                <th
                  key={column}
                  scope="col"
                  class={isNumber ? 'number' : undefined}
                  aria-sort={order.column !== column ? undefined : order.descending ? 'descending' : 'ascending'}
                >
                  <button type="button" onClick={() => remember({ sort: orderText(turned(order, column)) })}>
                    {name}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map((node) => (
              <tr key={node.name}>
                {COLUMNS.map(({ column, isNumber }) => (
                  <td key={column} class={isNumber ? 'number' : undefined}>
                    <Cell node={node} column={column} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
      {rows.length === 0 && <p class="quiet">No matching node.</p>}
      {rows.length > most && (
        <p>
          <button type="button" onClick={() => setMost(most * 5)}>
            Show {grouped(String(Math.min(rows.length, most * 5) - most))} more
          </button>
        </p>
      )}
    </section>
  );
}

/** All rows, also those that are not shown yet. */
function csvRows(nodes: readonly NodeFacts[]) {
  return [
    [...COLUMNS.map(({ title }) => title), 'Mark'],
    ...nodes.map((node) => [
      ...COLUMNS.map(({ column }) => {
        if (column === 'decision') return decisionWords(node.decision);
        if (column === 'centsPerHour') return node.centsPerHour === null ? null : node.centsPerHour / 100;
        return node[column];
      }),
      node.mark,
    ]),
  ];
}

function Cell({ node, column }: { node: NodeFacts; column: ColumnName }) {
  switch (column) {
    case 'name':
      return (
        <>
          <a href={nodeHref(node.name)}>{node.name}</a>
          {node.mark !== '' && <span class="pill mark">{node.mark}</span>}
        </>
      );
    case 'centsPerHour':
      return <>{node.centsPerHour === null ? '?' : (node.centsPerHour / 100).toFixed(3)}</>;
    case 'utilization':
      return <>{wholePercent(node.utilization)}</>;
    case 'decision':
      return (
        <span class={node.decision}>
          <i class="dot" />
          {decisionWords(node.decision)}
        </span>
      );
    default:
      return <>{node[column]}</>;
  }
}
