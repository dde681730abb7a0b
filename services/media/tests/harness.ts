import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Envelope } from '@rookery/contracts/events'
import {
  AttachmentsDefinition,
  FileOperatorDefinition,
  RemoteFilesDefinition,
  type UploadHeader,
  type UploadPart,
} from '@rookery/contracts/media'
import { openDatabase } from '@rookery/database'
import { createOutbox, type DomainEvent, inProcessBus, subscribeConsumers } from '@rookery/events'
import { snowflakes } from '@rookery/ids'
import { startWorker } from '@rookery/jobs'
import { type Call, type Client, link, type Partially } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import { createLogger } from '@rookery/runtime'
import type { MayConnect } from '@rookery/ssrf-safe-fetch'
import { startTestPostgres } from '@rookery/test-stores'
import { migrateServices } from '@rookery/test-world/schemas'
import {
  createMedia,
  diskStorage,
  filesFolder,
  type MediaConfig,
  type MediaTables,
  mediaConfig,
  type Storage,
  schema,
} from '../src/module.ts'
import type { ToolSettings } from '../src/motion/index.ts'

/** The context of a call. */
export const call = (): Call => callWithin(30, 'test')

/** The messages of an upload: the header, then parts of 64 KB. */
export async function* partsOf(header: Partially<UploadHeader>, bytes: Uint8Array): AsyncIterable<Partially<UploadPart>> {
  yield { part: { $case: 'header', value: header as UploadHeader } }
  for (let at = 0; at < bytes.length; at += 65_536) {
    yield { part: { $case: 'chunk', value: Buffer.from(bytes.subarray(at, at + 65_536)) } }
  }
}

const migrated = async () => {
  const template = await startTestPostgres().templateDatabase('media', (database) => migrateServices(database, [schema]))
  return startTestPostgres().createDatabase(template)
}

type HarnessOptions = {
  storage?: (inner: Storage) => Storage
  motion?: ToolSettings
  /** Which addresses files may be fetched from; the usual ones by default. */
  mayConnect?: MayConnect
  remote?: Partial<MediaConfig['remote']>
}

/** Media with its own database and folder, a clock that tests move, and a bus that they publish to. */
export const openHarness = async (options: HarnessOptions = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-media-'))
  const testDatabase = await migrated()
  const database = openDatabase<MediaTables>({ url: testDatabase.url(schema.name) })
  const clock = { time: Date.parse('2026-03-01T12:00:00Z'), now: () => clock.time }
  const outbox = createOutbox({ topic: 'media.v1', now: clock.now, wake: () => {} })
  const disk = diskStorage({ folder: filesFolder(folder) })
  const config = mediaConfig({ baseUrl: 'https://rookery.example', dataDir: folder })
  const media = createMedia({
    database,
    outbox,
    storage: options.storage?.(disk) ?? disk,
    clock,
    ids: snowflakes(clock.now),
    log: createLogger({ name: 'media', level: 'silent' }),
    ...(options.mayConnect && { mayConnect: options.mayConnect, resolve: async () => [{ address: '127.0.0.1', family: 4 }] }),
    config: { ...config, motion: options.motion, remote: { ...config.remote, ...options.remote } },
  })
  const attachments: Client<typeof AttachmentsDefinition> = link(AttachmentsDefinition, media.rpc[0]!, { wire: true })
  const remoteFiles: Client<typeof RemoteFilesDefinition> = link(RemoteFilesDefinition, media.rpc[1]!, { wire: true })
  const operator: Client<typeof FileOperatorDefinition> = link(FileOperatorDefinition, media.operator![0]!, { wire: true })
  const bus = inProcessBus()
  await subscribeConsumers({ db: database.db, bus, group: 'media' }, media.consumers, { retryAfter: [] })
  const statusesOutbox = createOutbox({ topic: 'statuses.v1', now: clock.now, wake: () => {} })
  const worker = await startWorker({ url: testDatabase.url(schema.name), service: schema.name, jobs: media.jobs, isRunning: false })
  const server = createServer(media.http)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    media,
    storage: disk,
    database,
    clock,
    folder,
    attachments,
    remoteFiles,
    operator,
    address,
    /** Uploads bytes for an owner. */
    upload: (bytes: Uint8Array, header: Partially<UploadHeader> = {}) =>
      attachments.upload(call(), partsOf({ ownerId: '1', ...header }, bytes)),
    /** Fetches the file at one of our public URLs. */
    fetchFile: (url: string, init?: RequestInit) => fetch(url.replace('https://rookery.example', address), init),
    /** Publishes events of statuses. */
    hear: (...events: DomainEvent[]) =>
      bus.publish(
        'statuses.v1',
        events.map((event) => statusesOutbox.row({ key: '1', event })),
      ),
    /** The events that media published. */
    reported: async () => {
      const rows = await database.db.selectFrom('outbox').select(['key', 'envelope']).orderBy('id').execute()
      return rows.map((row) => ({ key: row.key, event: Envelope.decode(row.envelope).fact }))
    },
    /** Advances the clock and runs what is due. */
    after: async (milliseconds: number) => {
      clock.time += milliseconds
      await media.jobs.find((job) => job.name === 'reap-attachments')?.run({})
      await worker.runDue()
    },
    /** The names of stored files, and of uploads under way. */
    files: async () => {
      const entries = await readdir(filesFolder(folder), { recursive: true, withFileTypes: true }).catch(() => [])
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
    },
    /** Runs due jobs. */
    work: () => worker.runDue(),
    uploadsUnderWay: () => readdir(mediaConfig({ baseUrl: '', dataDir: folder }).spoolFolder),
    close: async () => {
      await new Promise((resolve) => server.close(resolve).closeAllConnections())
      await worker.close()
      await media.close?.()
      await database.close()
      await testDatabase.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Harness = Awaited<ReturnType<typeof openHarness>>
