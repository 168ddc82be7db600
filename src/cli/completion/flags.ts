import { Argument, type Command } from 'commander';
import { SHELLS } from './script.ts';

const EXAMPLES = `
Examples:
  source <(decant completion bash)
  decant completion zsh > "\${fpath[1]}/_decant"
  decant completion fish > ~/.config/fish/completions/decant.fish
`;

export function addCompletion(decant: Command): void {
  decant
    .command('completion')
    .description('Print a shell completion script, which also completes names of nodes, pods and pools.')
    .addArgument(new Argument('<shell>', 'Shell').choices(SHELLS))
    .addHelpText('after', EXAMPLES)
    .action(async (shell: (typeof SHELLS)[number]) => {
      const [{ completionScript }, { print }] = await Promise.all([
        import('./script.ts'),
        import('../output/terminal-text.ts'),
      ]);
      print(completionScript(shell));
    });
  // Asked by the scripts: what could stand for the last of the words.
  decant
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .addHelpText('after', EXAMPLES)
    .action(async (words: string[]) => {
      const { complete } = await import('./complete.ts');
      const { print } = await import('../output/terminal-text.ts');
      const found = await complete(decant, words);
      if (found.length > 0) print(`${found.join('\n')}\n`);
    });
}
