import { Envelope, LiveMessage, type LiveNotification, Relation } from '@rookery/contracts/events'
import { InboxDefinition, PoliciesDefinition, PushDefinition, RequestsDefinition } from '@rookery/contracts/notifications'
import { AccountBody, StatusPage, ViewsDefinition } from '@rookery/contracts/statuses'
import { migrate, openDatabase, prepareDatabase } from '@rookery/database'
import { memoryEphemeral } from '@rookery/ephemeral'
import { createOutbox, type DomainEvent, eventMigrations, inProcessBus, subscribeConsumer } from '@rookery/events'
import { uuidv7 } from '@rookery/ids'
import { migrateJobs } from '@rookery/jobs'
import { type Call, type Definition, handler, link } from '@rookery/rpc'
import { createLogger, systemClock } from '@rookery/runtime'
import { startTestPostgres } from '@rookery/test-stores'
import { createNotifications, type NotificationsTables, readNotificationsConfig, schema } from '../src/module.ts'

/** Nothing here asks it. */
const never = () => ({}) as never

/** statuses' Views over hidden people and statuses; everything else is there. Status 5xx is by account 5. */
const statuses = () => {
  const hidden = new Set<string>()
  const calls: string[] = []
  const account = (id: string) => ({ id, version: 1, body: Buffer.from(AccountBody.encode(AccountBody.fromPartial({ id })).finish()) })
  const isThere = (id: string, viewerId: string) => !hidden.has(id) && !hidden.has(`${id} for ${viewerId}`)
  const views = handler(ViewsDefinition, {
    async readStatuses(_call, { ids, viewerId }) {
      calls.push('readStatuses')
      const seen = ids.filter((id) => isThere(id, viewerId))
      return StatusPage.fromPartial({
        items: seen.map((id) => ({ id, overlay: {} })),
        statuses: seen.map((id) => ({ id, version: 1, accountId: '5', body: Buffer.from('') })),
        accounts: seen.length > 0 ? [account('5')] : [],
      })
    },
    async readAccounts(_call, { ids }) {
      calls.push('readAccounts')
      return { accounts: ids.filter((id) => !hidden.has(id)).map(account) }
    },
    async readVisible(_call, { viewerId, accountIds, statusIds }) {
      calls.push('readVisible')
      const [accounts, seen] = [accountIds.filter((id) => !hidden.has(id)), statusIds.filter((id) => isThere(id, viewerId))]
      return { accountIds: accounts, statusIds: seen, reportIds: [] }
    },
    async readForViewers() {
      return { viewers: [], listeners: [] }
    },
    async siftViewers() {
      return { viewerIds: [], filtered: [] }
    },
    async readReports() {
      return { reports: [], accounts: [] }
    },
  })
  return { hidden, calls, client: link(ViewsDefinition, views, { wire: true }) }
}

const buildTemplate = async (database: { url(role: string): string }) => {
  await prepareDatabase(database.url('postgres'), [{ name: schema.name }])
  const opened = openDatabase({ url: database.url(schema.name) })
  await migrate(opened.db, eventMigrations)
  await migrate(opened.db, schema.migrations)
  await opened.close()
  await migrateJobs(database.url(schema.name), schema.name)
}

export const call = (): Call => ({ deadline: Date.now() + 30_000, signal: new AbortController().signal, trace: '' })

type Delivered = DomainEvent & { id?: string }

/** Notifications on a real database, with statuses in memory, fed through the bus. */
export const openHarness = async () => {
  const postgres = startTestPostgres()
  const own = await postgres.createDatabase(await postgres.templateDatabase('notifications', buildTemplate))
  const statements: string[] = []
  const database = openDatabase<NotificationsTables>({ url: own.url(schema.name), onStatement: (text) => statements.push(text) })
  const { live, presence, close } = memoryEphemeral(() => Date.now(), { graceMilliseconds: 0 })
  const views = statuses()
  const log = createLogger({ name: 'notifications', level: 'silent' })
  const outbox = createOutbox({ topic: 'notifications.v1', now: Date.now, wake: () => {} })
  const config = readNotificationsConfig({ BASE_URL: 'https://birds.example' })
  const clients = { views: views.client, graph: never(), accounts: never() }
  const module = createNotifications({ database, outbox, live, presence, statuses: clients, config, clock: systemClock, log })
  const clientOf = <D extends Definition>(definition: D) =>
    link(definition, module.rpc.find((served) => served.definition === definition)!, { wire: true })
  const bus = inProcessBus()
  const errors: unknown[] = []
  for (const consumer of module.consumers) {
    await subscribeConsumer({ db: database.db, bus }, consumer, { onError: (error) => errors.push(error), retryAfter: [] })
  }
  const notified: LiveNotification[] = []
  const messages: LiveMessage[] = []
  await live.subscribe({
    read(entry) {
      const message = LiveMessage.decode(entry.message)
      const { event } = message
      messages.push(message)
      if (event?.$case === 'notification') notified.push(event.value)
    },
  })

  const deliver = async (topic: string, events: readonly Delivered[]) => {
    const messages = events.map(({ id, ...event }, index) => {
      const envelope = {
        id: id ?? uuidv7(Date.now()),
        key: '',
        occurredAtMilliseconds: 1_700_000_000_000 + index * 1000,
        trace: '',
        fact: event,
      }
      return { key: '', envelope: Envelope.encode(envelope as Envelope).finish() }
    })
    await bus.publish(topic, messages)
    // Live messages leave after the commit, once presence has answered.
    await new Promise((resolve) => setImmediate(resolve))
  }

  return {
    views,
    presence,
    notified,
    messages,
    errors,
    statements,
    database,
    inbox: clientOf(InboxDefinition),
    policies: clientOf(PoliciesDefinition),
    requests: clientOf(RequestsDefinition),
    push: clientOf(PushDefinition),
    /** Does the work of a job at once, as often as it is due. */
    async run(name: string, payload: object) {
      await module.jobs?.find((job) => job.name === name)?.run(payload)
    },
    /** Delivers events of statuses as one batch; each happens a second after the one before. */
    deliver: (...events: Delivered[]) => deliver('statuses.v1', events),
    /** The same of auth. */
    deliverOfAuth: (...events: Delivered[]) => deliver('auth.v1', events),
    async close() {
      await bus.close()
      await close()
      await database.close()
      await own.drop()
    },
  }
}

export type Harness = Awaited<ReturnType<typeof openHarness>>

type Reported = { to?: string; type?: string; by?: string; about?: string; relation?: Partial<Relation> }

/** An account is to be notified. */
export const addressed = ({ to = '1', type = 'favourite', by = '2', about = '', relation }: Reported): DomainEvent => ({
  $case: 'recipientAddressed',
  value: { recipientId: to, reason: type, actorId: by, statusId: about, relation: relation && Relation.fromPartial(relation) },
})

/** Anything that matches is taken back. */
export const withdrawn = ({ to = '', type = '', by = '', about = '' }: Reported): DomainEvent => ({
  $case: 'notificationWithdrawn',
  value: { recipientId: to, reason: type, actorId: by, statusId: about },
})
