import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hostPort } from '../../../test/build/constraints.ts';
import type { HostPort } from '../cluster/host-port.ts';
import { TakenPorts } from './host-ports.ts';

function portsClash(wanted: readonly HostPort[], inUse: readonly HostPort[]): boolean {
  const taken = new TakenPorts();
  taken.take(inUse);
  return taken.clash(wanted);
}

describe('two pods on one node', () => {
  const cases: readonly (readonly [law: string, a: HostPort, b: HostPort, clash: boolean])[] = [
    ['clash on the same port', hostPort(80), hostPort(80), true],
    ['do not clash on other ports', hostPort(80), hostPort(81), false],
    ['do not clash on other protocols', hostPort(80), hostPort(80, { protocol: 'UDP' }), false],
    ['clash on the same address', hostPort(80, { ip: '10.0.0.1' }), hostPort(80, { ip: '10.0.0.1' }), true],
    ['do not clash on other addresses', hostPort(80, { ip: '10.0.0.1' }), hostPort(80, { ip: '10.0.0.2' }), false],
    ['clash if one wants every address', hostPort(80, { ip: '10.0.0.1' }), hostPort(80), true],
    ['clash if one wants 0.0.0.0', hostPort(80, { ip: '0.0.0.0' }), hostPort(80, { ip: '10.0.0.1' }), true],
    ['clash if one wants ::', hostPort(80, { ip: '::' }), hostPort(80, { ip: '10.0.0.1' }), true],
    [
      'clash on an address in IPv6 clothes',
      hostPort(80, { ip: '::ffff:10.0.0.1' }),
      hostPort(80, { ip: '10.0.0.1' }),
      true,
    ],
  ];
  for (const [law, a, b, clash] of cases) {
    test(law, () => {
      assert.equal(portsClash([a], [b]), clash);
      assert.equal(portsClash([b], [a]), clash);
    });
  }

  test('do not clash without ports', () => assert.equal(portsClash([], [hostPort(80)]), false));
});

test('ports are free again when released, unless another pod has them too', () => {
  const taken = new TakenPorts();
  const ports = [hostPort(80), hostPort(81)];
  taken.take(ports);
  taken.take([hostPort(81)]);
  taken.keep(2);
  assert.ok(taken.clash([hostPort(81)]));
  taken.keep(1);
  assert.ok(!taken.clash([hostPort(81)]));
  assert.ok(taken.clash(ports));
  taken.keep(0);
  assert.ok(!taken.clash(ports));
});

test('of many ports, a check looks at those that are wanted', () => {
  const taken = new TakenPorts();
  let reads = 0;
  const counted = (port: HostPort): HostPort => ({
    ...port,
    get port() {
      reads++;
      return port.port;
    },
  });
  for (let i = 0; i < 1000; i++) taken.take([counted(hostPort(1 + i, { ip: '10.0.0.1' }))]);
  const before = reads;
  for (let i = 0; i < 1000; i++) assert.ok(!taken.clash([hostPort(1 + i, { ip: '10.0.0.2' })]));
  assert.equal(reads, before);
});
