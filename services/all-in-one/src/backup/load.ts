import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openWriter, type Writer } from '@rookery/handles'
import type { ServiceSchema } from '@rookery/runtime'
import copies from 'pg-copy-streams'
import { DATABASE, type Entry, FILES, SEQUENCES } from './archive.ts'
import { copyIn, readTables, type Sequence, setSequence, type Table, truncateWithoutTriggers } from './catalog.store.ts'
import { openLongSession } from './long-session.ts'
import type { Place } from './place.ts'
import { schemasOf } from './schemas.ts'

/** A service's connection for loading its rows: one transaction. */
type Loader = {
  put(table: string, bytes: AsyncIterable<Buffer>): Promise<void>
  setSequences(sequences: readonly Sequence[]): Promise<void>
  commit(): Promise<void>
  close(): Promise<void>
}

const openLoader = async (url: string, service: ServiceSchema): Promise<Loader> => {
  const client = await openLongSession(url)
  await client.query('begin')
  const tables = await readTables(client, schemasOf(service))
  const byName = new Map<string, Table>(tables.map((table) => [`${table.schema}/${table.name}`, table]))
  const truncated = await truncateWithoutTriggers(client, tables)
  let current: { name: string; writer: Writer } | undefined

  const finish = async () => {
    if (!current) return
    await current.writer.end()
    current = undefined
  }
  const writerFor = async (name: string) => {
    if (current?.name === name) return current.writer
    await finish()
    const table = byName.get(name)
    if (!table) throw new Error(`The backup has a table that this version does not know: ${name}.`)
    current = { name, writer: openWriter(client.query(copies.from(copyIn(table)))) }
    return current.writer
  }
  return {
    async put(name, bytes) {
      const writer = await writerFor(name)
      for await (const part of bytes) await writer.write(part)
    },
    async setSequences(sequences) {
      await finish()
      for (const sequence of sequences) await setSequence(client, sequence)
    },
    async commit() {
      await finish()
      await truncated.enableTriggers()
      await client.query('commit')
    },
    close: () => client.end(),
  }
}

const ownerOf = (schema: string, services: readonly ServiceSchema[]): string => {
  const owner = services.find((service) => schemasOf(service).includes(schema))
  if (!owner) throw new Error(`The backup has a schema that this version does not know: ${schema}.`)
  return owner.name
}

const putFile = async ({ bytes }: Entry, key: string, place: Place, folder: string) => {
  const path = join(folder, 'file')
  await writeFile(path, bytes)
  await place.files.put(key, path)
  await rm(path)
}

/** Loads the rows and the files of an archive. The rows of all services become visible together. */
export const loadArchive = async (
  entries: AsyncIterable<Entry>,
  place: Place,
  { services, folder }: { services: readonly ServiceSchema[]; folder: string },
): Promise<void> => {
  const loaders = new Map<string, Loader>()
  try {
    for (const service of services) loaders.set(service.name, await openLoader(place.urlOf(service.name), service))
    for await (const entry of entries) {
      if (entry.name.startsWith(FILES)) await putFile(entry, entry.name.slice(FILES.length), place, folder)
      if (!entry.name.startsWith(DATABASE)) continue
      const [schema = '', table = ''] = entry.name.slice(DATABASE.length).split('/')
      const loader = loaders.get(ownerOf(schema, services))!
      if (table !== SEQUENCES) await loader.put(`${schema}/${table}`, entry.bytes)
      else await loader.setSequences(JSON.parse(Buffer.concat(await Array.fromAsync(entry.bytes)).toString('utf8')) as Sequence[])
    }
    for (const loader of loaders.values()) await loader.commit()
  } finally {
    for (const loader of loaders.values()) await loader.close()
  }
}
