import { rename, rm, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Lifecycle } from '@rookery/runtime'
import manifest from '../../package.json' with { type: 'json' }
import { SCHEMAS } from '../services.ts'
import { openArchive } from './archive.ts'
import { backUp } from './backup.ts'
import { openPlace } from './place.ts'
import { readThrough, restore } from './restore.ts'

type Environment = Record<string, string | undefined>
type Terminal = { print(line: string): void; complain(line: string): void }

const USE = `backup FILE    puts everything the server keeps into one archive, while it runs; - for the standard output
restore FILE   brings it back into an empty place, before the server is started`

const given = { services: SCHEMAS, version: manifest.version }
const size = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`

/** Writes to a temporary file and renames it, so that an existing backup stays intact until the new one is complete. */
const backUpInto = async (file: string, environment: Environment, lifecycle: Lifecycle) => {
  const place = await openPlace(environment, lifecycle, { mustBeKept: true })
  const { archive, output } = openArchive()
  const unfinished = `${file}.unfinished`
  const isFile = file !== '-'
  const write = (packed: AsyncIterable<Uint8Array>) => writeFile(unfinished, packed, { mode: 0o600 })
  const taken = isFile ? pipeline(output, createGzip(), write) : pipeline(output, createGzip(), process.stdout)
  try {
    const [foot] = await Promise.all([backUp(archive, place, given), taken])
    if (isFile) await rename(unfinished, file)
    return foot
  } catch (error) {
    output.destroy(error as Error)
    if (isFile) await rm(unfinished, { force: true })
    throw error
  }
}

/** Runs `backup FILE` or `restore FILE` for the server that an environment configures. Returns the exit code. */
export const runBackupCommand = async (words: readonly string[], environment: Environment, terminal: Terminal): Promise<number> => {
  const [verb, file, ...more] = words
  const isFile = file !== undefined && (file === '-' || !file.startsWith('-'))
  if (!isFile || more.length > 0 || (verb !== 'backup' && verb !== 'restore')) {
    terminal.complain(USE)
    return 1
  }
  const lifecycle = new Lifecycle()
  try {
    if (verb === 'backup') {
      const { files, tables, bytes } = await backUpInto(file, environment, lifecycle)
      terminal.complain(`${tables} tables and ${files} files are in the backup: ${size(bytes)} before they were packed.`)
      return 0
    }
    const { head, foot } = await readThrough(file)
    await restore({ file, head }, await openPlace(environment, lifecycle, { mustBeKept: false }), given)
    terminal.print(`${foot.tables} tables and ${foot.files} files are back, as they were at ${head.madeAt}.`)
    return 0
  } catch (error) {
    terminal.complain((error as Error).message)
    return 1
  } finally {
    await lifecycle.close((_, error) => terminal.complain((error as Error).message))
  }
}
