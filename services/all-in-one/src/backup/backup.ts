import type { Storage } from '@rookery/media'
import type { ServiceSchema } from '@rookery/runtime'
import type pg from 'pg'
import copies from 'pg-copy-streams'
import { type Archive, DATABASE, FILES, FOOT, type Foot, HEAD, type Head, SEQUENCES } from './archive.ts'
import { copyOut, readSequences, readTables, type Table } from './catalog.store.ts'
import type { Place } from './place.ts'
import { schemasOf, stepsOf } from './schemas.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'

const PART_BYTES = 1024 * 1024
const PAGE = 1000

const json = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`)

/** Adds the files that are not in the archive yet. Files never change, and one that is deleted meanwhile is not in the snapshot. */
const addFiles = async (archive: Archive, files: Storage, known: Set<string>): Promise<number> => {
  let bytes = 0
  for (let last = ''; ; ) {
    const keys = await files.keysAfter(last, PAGE)
    for (const key of keys) {
      if (known.has(key)) continue
      const file = await files.open(key)
      if (!file) continue
      await archive.addStream(`${FILES}${key}`, file.size, file.read())
      known.add(key)
      bytes += file.size
    }
    if (keys.length < PAGE) return bytes
    last = keys.at(-1)!
  }
}

/** Adds a table's rows, streamed in parts. */
const addTable = async (archive: Archive, client: pg.Client, table: Table): Promise<number> => {
  const rows = client.query(copies.to(copyOut(table))) as AsyncIterable<Buffer>
  let parts: Buffer[] = []
  let held = 0
  let number = 0
  let bytes = 0
  const flush = async () => {
    await archive.add(`${DATABASE}${table.schema}/${table.name}/${String(++number).padStart(6, '0')}`, Buffer.concat(parts))
    bytes += held
    parts = []
    held = 0
  }
  for await (const part of rows) {
    parts.push(part)
    held += part.length
    if (held >= PART_BYTES) await flush()
  }
  if (held > 0 || number === 0) await flush()
  return bytes
}

const addService = async (archive: Archive, snapshot: Snapshot, service: ServiceSchema): Promise<{ tables: number; bytes: number }> => {
  const client = snapshot.of(service.name)
  const schemas = schemasOf(service)
  const tables = await readTables(client, schemas)
  let bytes = 0
  for (const table of tables) bytes += await addTable(archive, client, table)
  await archive.add(`${DATABASE}${service.name}/${SEQUENCES}`, json(await readSequences(client, schemas)))
  return { tables: tables.length, bytes }
}

const headOf = async (snapshot: Snapshot, services: readonly ServiceSchema[], version: string): Promise<Head> => {
  const steps: Record<string, string[]> = {}
  for (const service of services) steps[service.name] = await stepsOf(snapshot.of(service.name), service)
  return { format: 1, version, madeAt: new Date().toISOString(), steps }
}

/**
 * Backs up a server into an archive, while it is in use: a snapshot of the database, and every file that it names. Most files are added
 * before the snapshot, new ones after it.
 * @throws Error when separate services do not become quiet
 */
export const backUp = async (
  archive: Archive,
  place: Place,
  { services, version }: { services: readonly ServiceSchema[]; version: string },
): Promise<Foot> => {
  const known = new Set<string>()
  let bytes = await addFiles(archive, place.files, known)
  let tables = 0
  const snapshot = await openSnapshot({ ...place, services: services.map(({ name }) => name) })
  try {
    await archive.add(HEAD, json(await headOf(snapshot, services, version)))
    for (const service of services) {
      const added = await addService(archive, snapshot, service)
      tables += added.tables
      bytes += added.bytes
    }
  } finally {
    await snapshot.close()
  }
  bytes += await addFiles(archive, place.files, known)
  const foot = { files: known.size, tables, bytes }
  await archive.add(FOOT, json(foot))
  await archive.end()
  return foot
}
