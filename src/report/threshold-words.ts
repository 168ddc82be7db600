import type { AdaptiveLevel } from '../controller/adaptive-threshold.ts';

export function levelInWords({ cents, why, perPodDay = 0 }: AdaptiveLevel): string {
  const level = `${Number(cents.toFixed(3))} cents`;
  const seen = `${perPodDay.toFixed(2)} evictions per pod and day`;
  switch (why) {
    case 'start':
      return `savings threshold begins at ${level}`;
    case 'journal':
      return `savings threshold continues at ${level}, from the last command`;
    case 'churn':
      return `savings threshold raised to ${level}: ${seen}`;
    case 'stagnation':
      return `savings threshold lowered to ${level}: it blocks moves, the cost does not fall, and there were only ${seen}`;
    case 'steady':
      return `savings threshold stays at ${level}: ${seen}`;
  }
}
