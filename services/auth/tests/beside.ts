import { ResolverDefinition } from '@rookery/contracts/federation'
import { openDatabase } from '@rookery/database'
import { memoryEphemeral } from '@rookery/ephemeral'
import { createOutbox } from '@rookery/events'
import { notFound } from '@rookery/failures'
import { snowflakes } from '@rookery/ids'
import { handler, link } from '@rookery/rpc'
import { type Clock, createLogger } from '@rookery/runtime'
import { connectionTo } from '@rookery/test-world/connection'
import { type AuthTables, createAuth, readAuthConfig, type StatusesClients, schema } from '../src/module.ts'

export { schema as authSchema, statusesClients } from '../src/module.ts'

const noOne = () => Promise.reject(notFound('there is no other server'))

/** Federation of a server that knows no other. */
export const alone = handler(ResolverDefinition, { resolveHandle: noOne, resolveUrl: noOne, refreshThread: noOne })

/** The module of auth on a database, for tests of the services that call it, and their connection to it. */
export const openAuth = ({ url, clock, statuses }: { url: string; clock: Clock; statuses: StatusesClients }) => {
  const database = openDatabase<AuthTables>({ url })
  const ephemeral = memoryEphemeral(clock.now)
  const module = createAuth({
    ...ephemeral,
    database,
    outbox: createOutbox({ topic: 'auth.v1', now: clock.now, wake: () => {} }),
    statuses,
    federation: { resolver: link(ResolverDefinition, alone, { wire: true }) },
    clock,
    ids: snowflakes(clock.now),
    log: createLogger({ name: schema.name, level: 'silent' }),
    config: readAuthConfig({ BASE_URL: 'https://rookery.example', CONFIRMATION: 'automatic', REGISTRATIONS: 'open' }),
  })
  return Object.assign(connectionTo(schema.name, module.rpc), {
    close: async () => {
      await module.close?.()
      await ephemeral.close()
      await database.close()
    },
  })
}
