import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Runs a script that stores files and prints the key of each that was acknowledged; kills it after twenty, and returns all it printed. */
export const keysOfKilled = async (script: string): Promise<string[]> => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const keys: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    keys.push(line)
    if (keys.length === 20) child.kill('SIGKILL')
  }
  await ended
  return keys
}
