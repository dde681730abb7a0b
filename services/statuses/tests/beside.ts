import { openDatabase } from '@rookery/database'
import { memoryEphemeral } from '@rookery/ephemeral'
import { createOutbox } from '@rookery/events'
import { unavailable } from '@rookery/failures'
import { snowflakes } from '@rookery/ids'
import { type Client, type Definition, link } from '@rookery/rpc'
import { type Clock, createLogger } from '@rookery/runtime'
import { createStatuses, readStatusesConfig, type StatusesTables, schema } from '../src/module.ts'

export { schema as statusesSchema } from '../src/module.ts'

/** A call whose answer is lost: before it is done, or after. */
type Fault = { call: string; after?: boolean }

/** The people of these tests have no files. */
const noMedia = <D extends Definition>(): Client<D> => ({}) as Client<D>

/** The module of statuses on a database, for tests of the services that call it, and their connection to it, which tests may cut. */
export const openStatuses = ({ url, clock }: { url: string; clock: Clock }) => {
  const database = openDatabase<StatusesTables>({ url })
  const ephemeral = memoryEphemeral(clock.now)
  const module = createStatuses({
    ...ephemeral,
    database,
    outbox: createOutbox({ topic: 'statuses.v1', now: clock.now, wake: () => {} }),
    media: { attachments: noMedia(), remoteFiles: noMedia() },
    clock,
    ids: snowflakes(clock.now),
    log: createLogger({ name: schema.name, level: 'silent' }),
    config: readStatusesConfig({ BASE_URL: 'https://rookery.example' }),
  })
  const connection = { calls: [] as string[], breaking: undefined as Fault | undefined }
  const lost = () => Promise.reject(unavailable('the connection was lost'))

  const connected = <D extends Definition>(definition: D): Client<D> => {
    const served = module.rpc.find((each) => each.definition.fullName === definition.fullName)
    if (!served) throw new Error(`statuses does not serve ${definition.fullName}`)
    const methods = Object.entries<(...given: never[]) => Promise<unknown>>(link(definition, served, { wire: true }) as never)
    const cut = methods.map(([name, run]) => {
      const runThrough = (...given: never[]) => {
        connection.calls.push(name)
        if (connection.breaking?.call !== name) return run(...given)
        return connection.breaking.after ? run(...given).then(lost) : lost()
      }
      return [name, runThrough] as const
    })
    return Object.fromEntries(cut) as Client<D>
  }

  return Object.assign(connection, {
    connected,
    /** Runs a job of statuses. */
    runJob: async (name: string) => {
      await module.jobs.find((job) => job.name === name)?.run({})
    },
    close: async () => {
      await ephemeral.close()
      await database.close()
    },
  })
}
