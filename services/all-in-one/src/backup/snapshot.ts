import { setTimeout as pause } from 'node:timers/promises'
import { pauseRelay } from '@rookery/events'
import { type ConsumerLag, type KafkaOptions, readConsumerLag } from '@rookery/events/kafka'
import type pg from 'pg'
import { openLongSession } from './long-session.ts'

/** A connection for each service, all on the same snapshot of the database. */
export type Snapshot = { of(service: string): pg.Client; close(): Promise<void> }

type Deps = {
  urlOf(role: string): string
  services: readonly string[]
  /** The Kafka of separate services. */
  kafka: KafkaOptions | undefined
  /** How long consumers may take to handle pending events, in milliseconds. */
  timeoutMilliseconds: number
}

const LOOK_MILLISECONDS = 100

const connectAll = async ({ urlOf, services }: Deps): Promise<Map<string, pg.Client>> => {
  const clients = new Map<string, pg.Client>()
  for (const service of services) {
    clients.set(service, await openLongSession(urlOf(service)))
  }
  return clients
}

const beginAll = async (clients: readonly pg.Client[]) => {
  const [leader, ...others] = clients
  if (!leader) return
  await leader.query('begin isolation level repeatable read read only')
  const { rows } = await leader.query<{ id: string }>('select pg_export_snapshot() as id')
  for (const client of others) {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set transaction snapshot ${client.escapeLiteral(rows[0]!.id)}`)
  }
}

/** Begins the snapshot, and rolls it back if topics have grown since `ends` was read. */
const beginUnlessGrown = async (clients: readonly pg.Client[], kafka: KafkaOptions, services: readonly string[], ends: string) => {
  await beginAll(clients)
  if ((await readConsumerLag(kafka, services)).ends === ends) return true
  for (const client of clients) await client.query('rollback')
  return false
}

const unhandled = (behind: ConsumerLag['behind']): Error => {
  const groups = behind.map(({ group, lag }) => `${group} (${lag})`).join(', ') || 'none, but more comes and comes'
  return new Error(`Unhandled events would be missing from a backup. Consumers that lag: ${groups}. Resolve this first.`)
}

/**
 * Begins the snapshot when no event is under way: relays are paused, and consumers catch up. If the topics end where they ended before the
 * snapshot, without lag, no event was under way.
 * @throws Error when consumers make no progress
 */
const beginInQuiet = async (clients: readonly pg.Client[], kafka: KafkaOptions, { services, timeoutMilliseconds }: Deps) => {
  const holds = []
  try {
    for (const client of clients) holds.push(await pauseRelay(client))
    for (const end = Date.now() + timeoutMilliseconds; ; await pause(LOOK_MILLISECONDS)) {
      const { behind, ends } = await readConsumerLag(kafka, services)
      if (behind.length === 0 && (await beginUnlessGrown(clients, kafka, services, ends))) return
      if (Date.now() > end) throw unhandled(behind)
    }
  } finally {
    for (const hold of holds) await hold.resume()
  }
}

/** Opens a connection for each service on one snapshot: everything acknowledged before is in it, with all its pending consequences. */
export const openSnapshot = async (deps: Deps): Promise<Snapshot> => {
  const clients = await connectAll(deps)
  const all = [...clients.values()]
  const close = async () => {
    for (const client of all) await client.end()
  }
  try {
    if (deps.kafka) await beginInQuiet(all, deps.kafka, deps)
    else await beginAll(all)
  } catch (error) {
    await close()
    throw error
  }
  return { of: (service) => clients.get(service)!, close }
}
