import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decant } from '../../../test/build/decant.ts';

/** What would change nothing, and what is said of it. */
const IDLE: readonly [string, RegExp][] = [
  ['demo --no-dashboard --port 9000', /'--no-dashboard' cannot be used with option '--port/],
  ['demo --once --bind-address 0.0.0.0', /--bind-address and --token-file are for the dashboard/],
  ['tune -w web --keep-savings 90% --pods 5', /--pods is for --history or --karpenter-log/],
  ['tune --history x.json --keep-savings 90% --days 2', /--days is for simulations/],
  ['tune --history x.json --keep-savings 90% --catalog aws/us-east-1', /--catalog is for --karpenter-log/],
  ['compare -w web --image x', /--image is for --job/],
  ['compare -w web --base calm', /--base is for --threshold, --grace and --utilization/],
  ['compare -w web --shard 0/2 -o html', /--output is for --merge: a shard is always JSON/],
  ['compare -w web --shard 2 --job -o json', /--output is not for --job/],
  ['compare --merge x.json --days 2', /--days is for simulations; --merge runs none/],
  ['compare --merge x.json --prices y.txt', /--prices is for simulations; --merge runs none/],
  ['run -o json', /--output is for --once/],
  ['run --once --metrics-port 0', /--metrics-port is for a controller that keeps running/],
  ['run --webhook-format slack', /--webhook-format is for notifications, which need --webhook-file/],
  ['run --once --webhook-file x', /--webhook-file is for a controller that keeps running/],
  ['run --webhook-file /dev/null', /--webhook-file: "\/dev\/null": allowed: a file with one http or https URL/],
  ['run --dashboard-token-file x', /--dashboard-token-file is for the dashboard/],
  ['simulate --list -w web', /--workload is for a simulation; --list runs none/],
  ['simulate --list --zones a', /--zones is for a simulation; --list runs none/],
  ['adopt --profile calm', /--profile is for the policies of -o yaml and -o json/],
  ['adopt -f x.yaml --context c', /-f reads files, --kubeconfig and --context a cluster/],
  ['history -f x.yaml --context c', /-f reads files, --kubeconfig and --context a cluster/],
  ['plan -f x.yaml --search karpenter --follow', /--follow is for the merged search; --search karpenter is one pass/],
  ['plan -f x.yaml --compat karpenter --time-budget 5s', /--time-budget is for the merged search/],
  ['explain move 1 -f x.yaml --search karpenter --work-budget 5', /--work-budget is for the merged search/],
  ['serve -f x.yaml --compat karpenter --work-budget 5', /--work-budget is for the merged search/],
  ['plan --request-timeout 900h', /command line: --request-timeout: "900h": allowed: a duration .* to 500h/],
];

for (const [line, words] of IDLE) {
  test(`decant ${line}`, async () => {
    const { code, stdout, stderr } = await decant(line.split(' '));
    assert.match(stderr, words);
    assert.deepEqual([code, stdout], [2, '']);
  });
}
