import type { Action, ClusterPort, ClusterView } from '../../src/controller/cluster-port.ts';
import type { Command } from '../../src/controller/command.ts';
import type { FakeCluster } from '../build/fake-cluster.ts';

/**
 * The port of one of two leaders. As on an API server, a command is written over the version that was read: if the other
 * was faster, the write fails. Between the two everything may happen: writes take a while.
 */
export class LeaderPort implements ClusterPort {
  private readonly port: ClusterPort;
  private readonly server: FakeCluster;
  private readonly dice: () => number;
  private read: ReadonlyMap<string, Command> = new Map();

  constructor(port: ClusterPort, server: FakeCluster, dice: () => number) {
    this.port = port;
    this.server = server;
    this.dice = dice;
  }

  view(): ClusterView | undefined {
    const view = this.port.view();
    if (view !== undefined) this.read = new Map(view.commands.map((command) => [command.id, command]));
    return view;
  }

  async act(action: Action): Promise<void> {
    for (let turns = Math.floor(this.dice() * 8); turns > 0; turns--) await undefined;
    if (action.kind === 'save-command') {
      const { id } = action.command;
      const there = this.server.commands.find((command) => command.id === id);
      if (there !== this.read.get(id)) throw new Error('409: the command has changed');
    }
    await this.port.act(action);
  }
}
