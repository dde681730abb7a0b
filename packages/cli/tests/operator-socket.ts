import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Handler, serve } from '@rookery/rpc'
import { runCommand } from '../src/index.ts'

/** A data folder with a server that answers these operator calls, and the command that calls it. */
export const openOperatorSocket = async (...operators: Handler[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'command-'))
  const server = await serve(operators, `unix:${join(folder, 'operator.sock')}`)
  return {
    folder,
    /** Runs a command; resolves to its exit code and the lines of both outputs. */
    async run(...words: string[]) {
      const [printed, complained]: [string[], string[]] = [[], []]
      const code = await runCommand(words, { print: (line) => printed.push(line), complain: (line) => complained.push(line) }, folder)
      return { code, printed, complained }
    },
    async close() {
      await server.stop(0)
      await rm(folder, { recursive: true })
    },
  }
}

export type OperatorSocket = Awaited<ReturnType<typeof openOperatorSocket>>
