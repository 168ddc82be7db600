import { Option } from 'commander';

/** A flag that knows the name and the type of its parsed value, so that `OptionsOf` follows from the flags of a command. */
export class Flag<Name extends string, Value> extends Option {
  declare readonly parsed: readonly [Name, Value];
}

export type AnyFlag = Flag<string, unknown>;

/** The parsed flags of a command. */
export type OptionsOf<Flags extends readonly AnyFlag[]> = {
  readonly [P in Flags[number]['parsed'] as undefined extends P[1] ? never : P[0]]: P[1];
} & {
  readonly [P in Flags[number]['parsed'] as undefined extends P[1] ? P[0] : never]?: P[1];
};

type LongName<F> = F extends `${string}--${infer Name} ${string}` ? Name : F extends `--${infer Name}` ? Name : never;
type CamelCase<S> = S extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : S;
type NameOf<F> = LongName<F> extends `no-${infer Name}` ? CamelCase<Name> : CamelCase<LongName<F>> & string;

/** Without a parser: the text, several texts, or whether the flag was given. */
type TextOf<F> = F extends `${string}...>` ? readonly string[] : F extends `${string}>` ? string : boolean;

/** As commander's `option`: with a parser, a default, and how help shows the default. */
export function flag<const F extends string, T = TextOf<F>, D extends T | undefined = undefined>(
  flags: F,
  help: string,
  parse?: (text: string, previous?: T) => T,
  usual?: D,
  shown?: string,
): Flag<NameOf<F>, T | D> {
  const made = new Flag<NameOf<F>, T | D>(flags, help);
  if (parse !== undefined) made.argParser(parse);
  return usual === undefined ? made : made.default(usual, shown);
}

/** One of these values. */
export function choice<const F extends string, const T extends string, D extends T | undefined = undefined>(
  flags: F,
  help: string,
  values: readonly T[],
  usual?: D,
): Flag<NameOf<F>, T | D> {
  const made = new Flag<NameOf<F>, T | D>(flags, help).choices(values);
  return usual === undefined ? made : made.default(usual);
}

export function required<Name extends string, T>(made: Flag<Name, T>): Flag<Name, NonNullable<T>> {
  return made.makeOptionMandatory() as Flag<Name, never>;
}

/** -o; the first format is the default. */
export function outputFlag<const T extends string>(formats: readonly T[], help = 'Output format') {
  return choice('-o, --output <format>', help, formats, formats[0]);
}

/** -f, repeatable. */
export function fileFlag(help: string) {
  return flag('-f, --file <path>', help, (path, paths: readonly string[] = []): readonly string[] => [...paths, path]);
}
