import type { Servers } from './servers.ts'

/** What was typed after a subcommand's name: operands in their order, options by their long names in camel case. */
export type Typed = { readonly operands: readonly string[]; readonly options: Readonly<Record<string, string | boolean | undefined>> }

/** What a subcommand has to say: to a person, and to a script. */
export type Said = { readonly lines: readonly string[]; readonly json: unknown; readonly hasFailed?: boolean }

/** One thing an operator can do. */
export type Subcommand = {
  /** Its name and operands as commander reads them: `create <name>` needs one, `[id]` may be left out, `<file...>` takes several. */
  readonly usage: string
  readonly summary: string
  /** Its options as they are written, each with its meaning. */
  readonly options?: Readonly<Record<string, string>>
  /** What is none of its options is an operand, also with a dash in front, as one token in 64 has. */
  readonly takesDashes?: boolean
  run(servers: Servers, typed: Typed): Promise<Said>
}

/** Subcommands about one noun: `rookery accounts …`. */
export type Group = { readonly name: string; readonly summary: string; readonly subcommands: readonly Subcommand[] }

/** An option's text; empty when it was not typed. */
export const textOf = ({ options }: Typed, name: string): string => {
  const value = options[name]
  return typeof value === 'string' ? value : ''
}
