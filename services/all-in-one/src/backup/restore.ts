import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, prepareDatabase, roleOf } from '@rookery/database'
import { migrateJobs } from '@rookery/jobs'
import type { ServiceSchema } from '@rookery/runtime'
import { migrateSchema } from '../schema.ts'
import { FOOT, type Foot, HEAD, type Head, readArchive } from './archive.ts'
import { hasTables } from './catalog.store.ts'
import { loadArchive } from './load.ts'
import { openLongSession } from './long-session.ts'
import type { Place } from './place.ts'
import { ownSteps, schemasOf, stepsOf, withoutJobs } from './schemas.ts'

const textOf = async (bytes: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(bytes)).toString('utf8')

/** Reads an archive from beginning to end. @throws Error if it is truncated */
export const readThrough = async (file: string): Promise<{ head: Head; foot: Foot }> => {
  let head: Head | undefined
  let foot: Foot | undefined
  for await (const { name, bytes } of readArchive(file)) {
    if (name === HEAD) head = JSON.parse(await textOf(bytes)) as Head
    if (name === FOOT) foot = JSON.parse(await textOf(bytes)) as Foot
  }
  if (!head || !foot) throw new Error('The archive is truncated: its end is missing.')
  return { head, foot }
}

const refuseOther = (head: Head, version: string) => {
  throw new Error(
    `The backup was made by Rookery ${head.version}, whose schema is another than that of ${version}: restore it with that version, then upgrade.`,
  )
}

const same = (some: readonly string[] = [], others: readonly string[]) => some.join() === others.join()

/** @throws Error if the storage is not empty */
const refuseUsed = async (place: Place, services: readonly ServiceSchema[]) => {
  if ((await place.files.keysAfter('', 1)).length > 0)
    throw new Error('The media storage is not empty: a backup is restored into empty storage.')
  const client = await openLongSession(place.urlOf(place.hasAdministrator ? 'postgres' : services[0]!.name))
  try {
    if (await hasTables(client, services.flatMap(schemasOf)))
      throw new Error('The database is not empty: a backup is restored into an empty database.')
  } finally {
    await client.end()
  }
}

/** Creates the schemas of this version. @throws Error if those of the backup differ */
const makeSchemas = async (place: Place, services: readonly ServiceSchema[], head: Head, version: string) => {
  for (const service of services) {
    const url = place.urlOf(service.name)
    const database = openDatabase({ url, connections: 1 })
    try {
      await migrateSchema(service, database.db)
      if (head.steps[service.name]!.some((step) => step.startsWith('jobs/'))) await migrateJobs(url, service.name)
    } finally {
      await database.close()
    }
    const client = await openLongSession(url)
    try {
      if (!same(head.steps[service.name], await stepsOf(client, service))) refuseOther(head, version)
    } finally {
      await client.end()
    }
  }
}

/**
 * Restores a backup, which was read through before, into empty storage: all of the database or nothing of it.
 * @throws Error when the backup is of another version, or the storage is not empty
 */
export const restore = async (
  { file, head }: { file: string; head: Head },
  place: Place,
  given: { services: readonly ServiceSchema[]; version: string },
): Promise<void> => {
  const { services, version } = given
  for (const service of services) {
    if (!same(withoutJobs(head.steps[service.name] ?? []), ownSteps(service))) refuseOther(head, version)
  }
  await refuseUsed(place, services)
  if (place.hasAdministrator) {
    const roles = services.map(({ name }) => roleOf(place.urlOf(name)))
    await prepareDatabase(place.urlOf('postgres'), roles)
  }
  await makeSchemas(place, services, head, version)
  const folder = await mkdtemp(join(tmpdir(), 'restore-'))
  try {
    await loadArchive(readArchive(file), place, { services, folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
