import type { FirstAvailable } from '../cluster/first-available.ts';
import type { CompiledCluster } from './compiled-cluster.ts';

/** What pods with a choice of amounts take beyond their requests, placement by placement; undone last first. */
export class AmountsBeyondRequests {
  private readonly taken: number[] = [];

  /** After the requests themselves were taken. */
  take({ free, requests }: CompiledCluster, row: number, pod: Float64Array, choice: FirstAvailable): void {
    const d = requests.columnOf(choice.resource);
    const more = (choice.amounts.find((amount) => amount - pod[d] <= free[d][row]) ?? pod[d]) - pod[d];
    free[d][row] -= more;
    this.taken.push(more);
  }

  giveBack({ free, requests }: CompiledCluster, row: number, { resource }: FirstAvailable): void {
    free[requests.columnOf(resource)][row] += this.taken.pop() as number;
  }
}
