import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { PROGRAM_ENVIRONMENT } from '@rookery/test-stores'

const MAIN = resolve(import.meta.dirname, '../../services/all-in-one/src/backup/main.ts')

/** Runs `backup FILE` or `restore FILE` as an operator does, in a process of its own. */
export const keep = async (words: readonly string[], environment: Record<string, string>): Promise<{ code: number; said: string }> => {
  const child = spawn(process.execPath, [MAIN, ...words], { env: { ...PROGRAM_ENVIRONMENT, ...environment } })
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = (await once(child, 'exit')) as [number]
  return { code, said: (await said).join('') }
}
