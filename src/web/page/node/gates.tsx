import type { GateRow } from '../../api.ts';

const MARKS: Readonly<Record<GateRow['verdict'], string>> = {
  pass: '✓',
  fail: '✗',
  off: '·',
  'not-reached': '·',
};

export function Gates({ gates }: { gates: readonly GateRow[] }) {
  const failed = gates.some(({ phase, verdict }) => phase === 'node' && verdict === 'fail');
  const rows = (phase: GateRow['phase']) => gates.filter((gate) => gate.phase === phase);
  return (
    <section class="card" aria-labelledby="gates">
      <h2 id="gates">Gates, in order</h2>
      <GateList gates={rows('node')} />
      {failed && rows('move').length > 0 && <p class="quiet">evaluated as if it had passed those:</p>}
      <GateList gates={rows('move')} />
    </section>
  );
}

function GateList({ gates }: { gates: readonly GateRow[] }) {
  const asked = gates.filter(({ verdict }) => verdict === 'pass' || verdict === 'fail');
  const rest = (verdict: GateRow['verdict']) => gates.filter((gate) => gate.verdict === verdict);
  return (
    <ol class="gates">
      {inRows(asked).map(({ title, verdict, message }) => (
        <li key={title} class={`gate-${verdict}`}>
          <span aria-hidden="true" class="mark">
            {MARKS[verdict]}
          </span>
          <b class={message === '' ? 'alone' : undefined}>{title}</b>
          <span class="unseen">{verdict === 'fail' ? 'refuses' : 'passes'}</span>
          {message !== '' && <span class="message">{message}</span>}
        </li>
      ))}
      <Silent words="not reached" gates={rest('not-reached')} />
      <Silent words="off" gates={rest('off')} />
    </ol>
  );
}

/** Consecutive gates without a message share a row. */
function inRows(gates: readonly GateRow[]): readonly GateRow[] {
  const rows: GateRow[] = [];
  for (const gate of gates) {
    const before = rows.at(-1);
    const joins = gate.message === '' && before?.message === '' && before.verdict === gate.verdict;
    if (joins) rows.splice(-1, 1, { ...before, title: `${before.title}, ${gate.title}` });
    else rows.push(gate);
  }
  return rows;
}

function Silent({ words, gates }: { words: string; gates: readonly GateRow[] }) {
  if (gates.length === 0) return null;
  return (
    <li class="gate-silent">
      <span aria-hidden="true" class="mark">
        ·
      </span>
      <b>{words}</b>
      <span class="message">{gates.map(({ title }) => title).join(', ')}</span>
    </li>
  );
}
