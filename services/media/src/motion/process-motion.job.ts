import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { unavailable } from '@rookery/failures'
import { every } from '@rookery/handles'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Clock, Logger } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import { type Demuxer, typeOfFile } from '../processing/index.ts'
import { SERVICE } from '../service.ts'
import type { Storage } from '../storage/index.ts'
import type { WorkFolders } from '../work-folders.ts'
import { endProcessing } from './end-processing.ts'
import type { MotionMetrics } from './motion.metrics.ts'
import { isCut, metadataOf, motionFault, planOf } from './motion.rules.ts'
import { type Begun, MotionReader, MotionWriter, type Processed } from './motion.store.ts'
import { MotionError } from './motion-error.ts'
import { MAX_RUN, type MotionTools, type Source } from './motion-tools.ts'
import { playerColors } from './player-colors.rules.ts'
import type { Probe } from './probe.rules.ts'

type Deps = {
  database: Database<MediaTables>
  outbox: Outbox
  storage: Storage
  clock: Clock
  log: Logger
  /** Undefined without ffmpeg: then files wait for a process that has it. */
  tools: MotionTools | undefined
  folders: WorkFolders
  metrics: MotionMetrics
}

/** The payload of a job. */
type Payload = {
  mediaId: string
  /** Whether to keep an unreadable file as unknown type (spec, POST /api/v1/media). */
  keepUnreadable: boolean
}

export const PROCESS_MOTION = 'process-motion'

/** How long a file may wait in the queue, in milliseconds. */
const MAX_WAIT = 60 * 60_000
/** Extra time for copying a file from and to the storage and for a retry, in milliseconds. */
const MARGIN = 5 * 60_000
/** Maximum attempts per file: the second is for one whose process was killed. */
const MAX_TRIES = 2
/** How often the job checks whether its file was deleted, in milliseconds. */
const WATCHED_EVERY = 2000

/** Requests the processing of a file after the commit, by any process. */
export const requestProcessing =
  ({ clock }: { clock: Clock }) =>
  async (tx: Tx<MediaTables>, payload: Payload): Promise<void> => {
    await new MotionWriter(tx).queue(payload.mediaId, new Date(clock.now() + MAX_WAIT))
    await addJob(tx, SERVICE, PROCESS_MOTION, payload, { key: `${PROCESS_MOTION} ${payload.mediaId}` })
  }

const MADE_BY: Readonly<Record<string, Demuxer>> = { mp4: 'mov', m4a: 'mov', mp3: 'mp3', flac: 'flac' }

/** The name of the file in its folder. */
const RECEIVED = 'received'

type Made = { readonly path: string; readonly probe: Probe }

/** Makes the shown files from the received one. @throws MotionError for a faulty file, Failure unavailable when `signal` aborts */
const make = async (tools: MotionTools, folder: string, signal: AbortSignal): Promise<Made> => {
  const type = await typeOfFile(join(folder, RECEIVED))
  if (!type?.demuxer) throw new MotionError('unreadable', 'its first bytes are of no kind we know')
  const source: Source = { folder, file: RECEIVED, demuxer: type.demuxer }
  const claimed = await tools.probe(source, signal)
  const fault = motionFault(claimed, { isPicture: type.contentType.startsWith('image/') })
  if (fault) throw new MotionError('outside_limits', fault)
  const plan = planOf(claimed)
  const path = await tools.convert(source, plan, signal)
  const made: Source = { folder, file: `made.${plan.extension}`, demuxer: MADE_BY[plan.extension] ?? 'mov' }
  const probe = await tools.probe(made, signal)
  const late = motionFault(probe, { isPicture: false })
  if (late) throw new MotionError('outside_limits', late)
  if (isCut(claimed, probe)) throw new MotionError('cut', `${probe.duration} of ${claimed.duration} seconds`)
  return { path, probe }
}

const processedOf = async (row: Begun, { path, probe }: Made): Promise<Processed> => {
  const { video } = planOf(probe)
  const metadata = metadataOf(probe)
  return {
    // The type determined at the upload, on which its preview and URL depend.
    type: row.type,
    width: video?.width ?? null,
    height: video?.height ?? null,
    originalBytes: (await stat(path)).size,
    motion: row.type === 'audio' ? { ...metadata, colors: playerColors(row) } : metadata,
  }
}

/** Copies the uploaded file into a folder. @throws MotionError if it is missing */
const receive = async (storage: Storage, { sourceKey }: Begun, folder: string): Promise<void> => {
  const source = sourceKey ? await storage.open(sourceKey) : undefined
  if (!source) throw new MotionError('missing', 'what was uploaded is not in the storage')
  await writeFile(join(folder, RECEIVED), source.read(), { mode: 0o600 })
}

/** Stores the result in place of the uploaded file. */
const keepMade =
  ({ database, storage, metrics }: Deps, end: ReturnType<typeof endProcessing>) =>
  async (row: Begun, made: Made): Promise<void> => {
    const key = row.originalKey
    if (!key) throw new MotionError('missing', 'its record names no file')
    await storage.put(key, made.path)
    const processed = await processedOf(row, made)
    const isKept = await transact(database.db, (tx) => end.finish(tx, row, processed))
    metrics.ended(row.type, isKept ? 'done' : 'abandoned')
  }

/** Aborts once a file is no longer wanted; polls every few seconds until it is stopped. */
const watchForEnd = (isPending: () => Promise<boolean>) => {
  const gone = new AbortController()
  const look = async () => {
    if (!(await isPending())) gone.abort()
  }
  const { stop } = every(WATCHED_EVERY, look, { onError: () => {}, holdsProcess: false })
  return { signal: gone.signal, stop }
}

/**
 * Processes a video or audio file in a temporary folder. A faulty file fails; an error of a store makes the job retry. A file whose process
 * was killed gets a second attempt, and no third.
 */
export const processMotion = (deps: Deps): Job => {
  const { database, storage, clock, log, folders, metrics } = deps
  const end = endProcessing(deps)
  const keep = keepMade(deps, end)

  const isPending = ({ id }: Begun) => new MotionReader(database.db).isPending(id)
  const begin = (id: string) => transact(database.db, (tx) => new MotionWriter(tx).begin(id, new Date(clock.now() + MAX_RUN + MARGIN)))

  const fail = async (row: Begun, error: MotionError, { keepUnreadable }: Payload) => {
    log.info({ mediaId: row.id, type: row.type, reason: error.reason, err: error }, 'a film or recording could not be processed')
    metrics.ended(row.type, error.reason)
    await transact(database.db, (tx) => end.fail(tx, row, error.reason, { asUnknown: keepUnreadable }))
  }

  const work = async (row: Begun, tools: MotionTools, stop?: AbortSignal) => {
    const watch = watchForEnd(() => isPending(row))
    const folder = await folders.make('motion')
    const begun = performance.now()
    try {
      await receive(storage, row, folder)
      const made = await make(tools, folder, stop ? AbortSignal.any([watch.signal, stop]) : watch.signal)
      metrics.worked((performance.now() - begun) / 1000, made.probe.duration)
      await keep(row, made)
    } finally {
      watch.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** Handles the error of an attempt. @throws the error if a retry may succeed */
  const handleError = async (row: Begun, error: unknown, payload: Payload) => {
    if (error instanceof MotionError) return fail(row, error, payload)
    if (!(await isPending(row))) return metrics.ended(row.type, 'abandoned')
    await transact(database.db, (tx) => new MotionWriter(tx).forgetTry(row.id))
    throw error
  }

  return job<Payload>({
    name: PROCESS_MOTION,
    lane: 'motion',
    run: async (payload, stop) => {
      const { tools } = deps
      if (!tools) throw unavailable('there is no ffmpeg')
      const row = await begin(payload.mediaId)
      if (!row) return
      if (row.tries <= MAX_TRIES) return work(row, tools, stop).catch((error: unknown) => handleError(row, error, payload))
      await folders.clear()
      await fail(row, new MotionError('killed', `begun ${MAX_TRIES} times`), payload)
    },
  })
}
