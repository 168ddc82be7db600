import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { PlanBound } from '../../../engine/plan-document.ts';
import { momentInWords } from '../../../report/moment.ts';
import { perHour } from '../../../report/money.ts';
import type { BoundAnswer } from '../../api.ts';
import { ask, version } from '../answers.ts';
import { isReport } from '../navigation.ts';
import { Tile } from '../tile.tsx';

type Proof =
  | { readonly state: 'none' | 'working' }
  | { readonly state: 'proven'; readonly answer: BoundAnswer }
  | { readonly state: 'failed'; readonly message: string };

/** How close the plan is to the optimum: from the plan, or proven by the server on demand. */
export function BoundNote({ bound }: { bound?: PlanBound }) {
  const [proof, setProof] = useState<Proof>({ state: 'none' });
  if (bound !== undefined) return <Proven bound={bound} />;
  if (isReport) return null;
  const prove = async () => {
    setProof({ state: 'working' });
    const { data, failure } = await ask<BoundAnswer>('/api/bound');
    if (data !== undefined) setProof({ state: 'proven', answer: data });
    else setProof({ state: 'failed', message: failure?.message ?? 'no answer' });
  };
  if (proof.state === 'proven') {
    const { bound: proven, nowMs, version: of } = proof.answer;
    if (of === version.value) return <Proven bound={proven} />;
    // The cluster has changed since.
    return (
      <Proven bound={proven} then={momentInWords(nowMs)}>
        <button type="button" onClick={prove}>
          Again
        </button>
      </Proven>
    );
  }
  const isWorking = proof.state === 'working';
  const note = proof.state === 'failed' ? proof.message : 'a proof takes seconds';
  return (
    <Tile name={NAME} note={note}>
      <button type="button" disabled={isWorking} aria-busy={isWorking} onClick={prove}>
        {isWorking ? 'Proving…' : 'Prove a bound'}
      </button>
    </Tile>
  );
}

const NAME = 'Best possible';

function Proven({ bound, then, children }: { bound: PlanBound; then?: string; children?: ComponentChildren }) {
  const { gapPercent, centsPerHour } = bound;
  const when = then === undefined ? '' : ` (plan of ${then})`;
  return (
    <Tile name={NAME} note={`proven: no plan gets below ${perHour(centsPerHour)}${when}`}>
      {gapPercent < 0.05 ? 'optimal' : `within ${gapPercent.toFixed(1)} %`} {children}
    </Tile>
  );
}
