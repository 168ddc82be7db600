export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Where `decant __complete` says nothing, the shells offer files. */
const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: `# bash completion for decant and kubectl-decant
_decant() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null))
}
complete -o default -F _decant decant kubectl-decant
`,
  zsh: `#compdef decant kubectl-decant
_decant() {
  local -a found
  found=(\${(f)"$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2> /dev/null)"})
  if (( \${#found} )); then compadd -- $found; else _files; fi
}
if [ "$funcstack[1]" = _decant ]; then _decant "$@"; else compdef _decant decant kubectl-decant; fi
`,
  fish: `# fish completion for decant and kubectl-decant
function __decant_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found ($words[1] __complete -- $words[2..] 2> /dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c decant -f -a '(__decant_complete)'
complete -c kubectl-decant -f -a '(__decant_complete)'
`,
};

export function completionScript(shell: (typeof SHELLS)[number]): string {
  return SCRIPTS[shell];
}
