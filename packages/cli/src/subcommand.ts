import type { Servers } from './servers.ts'

/** The parsed arguments of a subcommand: operands in their order, options by their long names in camel case. */
export type ParsedArguments = {
  readonly operands: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | undefined>>
}

/** The output of a subcommand, for people and as JSON. */
export type CommandOutput = { readonly lines: readonly string[]; readonly json: unknown; readonly hasFailed?: boolean }

/** A subcommand. */
export type Subcommand = {
  /** Its name and operands in commander's syntax: `create <name>` needs one, `[id]` is optional, `<file...>` takes several. */
  readonly usage: string
  readonly summary: string
  /** Its options in commander's syntax, with their descriptions. */
  readonly options?: Readonly<Record<string, string>>
  /** Unknown options are taken as operands: one token in 64 begins with a dash. */
  readonly takesDashes?: boolean
  run(servers: Servers, typed: ParsedArguments): Promise<CommandOutput>
}

/** The subcommands of one noun: `rookery accounts …`. */
export type Group = { readonly name: string; readonly summary: string; readonly subcommands: readonly Subcommand[] }

/** The value of an option; empty without it. */
export const textOf = ({ options }: ParsedArguments, name: string): string => {
  const value = options[name]
  return typeof value === 'string' ? value : ''
}
