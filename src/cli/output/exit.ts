/** Exit codes, the same for every command. */
export const EXIT = { ok: 0, no: 1, badInput: 2, unreachable: 3 } as const;
