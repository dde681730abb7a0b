import type { ParseArgsOptionsConfig } from 'node:util'
import type { Servers } from './servers.ts'

/** What was typed after a subcommand's name. */
export type Typed = { readonly operands: readonly string[]; readonly options: Readonly<Record<string, string | boolean | undefined>> }

/** What a subcommand has to say: to a person, and to a script. */
export type Said = { readonly lines: readonly string[]; readonly json: unknown; readonly hasFailed?: boolean }

/** One thing an operator can do. */
export type Subcommand = {
  /** The words that name it, e.g. accounts create. */
  readonly name: string
  /** What follows the name, as help shows it. */
  readonly usage: string
  readonly summary: string
  readonly options?: ParseArgsOptionsConfig
  /** How many operands it takes, at least and at most. */
  readonly operands: readonly [number, number]
  run(servers: Servers, typed: Typed): Promise<Said>
}

/** An option's text; empty when it was not typed. */
export const textOf = ({ options }: Typed, name: string): string => {
  const value = options[name]
  return typeof value === 'string' ? value : ''
}
