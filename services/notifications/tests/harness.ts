import { Envelope, LiveMessage, type LiveNotification, Relation } from '@rookery/contracts/events'
import { InboxDefinition, PoliciesDefinition, PushDefinition, RequestsDefinition } from '@rookery/contracts/notifications'
import { AccountsDefinition, GraphDefinition, ViewsDefinition, Visibility } from '@rookery/contracts/statuses'
import { openDatabase } from '@rookery/database'
import { memoryEphemeral } from '@rookery/ephemeral'
import { createOutbox, type DomainEvent, inProcessBus, subscribeConsumers } from '@rookery/events'
import { uuidv7 } from '@rookery/ids'
import { type Client, type Definition, link } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import { createLogger, systemClock } from '@rookery/runtime'
import { startTestPostgres } from '@rookery/test-stores'
import { migrateServices } from '@rookery/test-world/schemas'
import pg from 'pg'
import { openStatuses, statusesSchema } from '../../statuses/tests/beside.ts'
import { createNotifications, type NotificationsTables, readNotificationsConfig, schema } from '../src/module.ts'

const SCHEMAS = [schema, statusesSchema]

/** All accounts, and public posts by account 5. */
const SEED = `
  insert into statuses.account (id, username, is_active, created_at) select id, 'person' || id, true, '2020-01-01' from generate_series(1, 2400) id;
  insert into statuses.status_head (id, author_id, visibility, thread_id, is_listed, is_reply_to_other, has_media)
    select id, 5, ${Visibility.PUBLIC}, id, false, false, false from generate_series(500, 1200) id;
  insert into statuses.status (id, author_id, text, spoiler_text, sensitive, content, created_at)
    select id, 5, 'tea', '', false, '<p>tea</p>', '2020-01-01' from generate_series(500, 1200) id`
/** Undoes the acts of `hiding`. */
const SHOW = `update statuses.account set closed_at = null where closed_at is not null;
  update statuses.status_head set visibility = ${Visibility.PUBLIC} where visibility <> ${Visibility.PUBLIC}`

export const call = () => callWithin(30)

/** Hides people and posts, in the state that acts would leave. */
const hiding = (administrator: pg.Client, graph: Client<GraphDefinition>) => {
  const blocked: { viewerId: string; accountId: string }[] = []
  const change = async (text: string, ...values: string[]) => void (await administrator.query(text, values))
  return {
    /** Removes the account. */
    removed: (accountId: string) => change('update statuses.account set closed_at = now() where id = $1', accountId),
    /** Makes the post visible to its author only. */
    unseen: (statusId: string) => change(`update statuses.status_head set visibility = ${Visibility.DIRECT} where id = $1`, statusId),
    /** Makes one account block another. */
    async blocked(viewerId: string, accountId: string) {
      blocked.push({ viewerId, accountId })
      await graph.block(call(), { viewerId, accountId })
    },
    async nothing() {
      await change(SHOW)
      for (const pair of blocked.splice(0)) await graph.unblock(call(), pair)
    },
  }
}

type Delivered = DomainEvent & { id?: string }

/** Notifications on a real database, with statuses on the same, fed through the bus. */
export const openHarness = async () => {
  const postgres = startTestPostgres()
  const own = await postgres.createDatabase(
    await postgres.templateDatabase('notifications beside statuses', (database) => migrateServices(database, SCHEMAS, SEED)),
  )
  const statements: string[] = []
  const database = openDatabase<NotificationsTables>({ url: own.url(schema.name), onStatement: (text) => statements.push(text) })
  const { live, presence, close } = memoryEphemeral(() => Date.now(), { graceMilliseconds: 0 })
  const administrator = new pg.Client({ connectionString: own.url('postgres') })
  await administrator.connect()
  const statuses = openStatuses({ url: own.url(statusesSchema.name), clock: systemClock })
  const log = createLogger({ name: 'notifications', level: 'silent' })
  const outbox = createOutbox({ topic: 'notifications.v1', now: Date.now, wake: () => {} })
  const config = readNotificationsConfig({ BASE_URL: 'https://birds.example' })
  const clients = {
    views: statuses.connected(ViewsDefinition),
    graph: statuses.connected(GraphDefinition),
    accounts: statuses.connected(AccountsDefinition),
  }
  const module = createNotifications({ database, outbox, live, presence, statuses: clients, config, clock: systemClock, log })
  const clientOf = <D extends Definition>(definition: D) =>
    link(definition, module.rpc.find((served) => served.definition === definition)!, { wire: true })
  const bus = inProcessBus()
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  await subscribeConsumers({ db: database.db, bus, group: 'notifications' }, module.consumers, { onError, retryAfter: [] })
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
    // Live messages are published after the commit, once presence has answered.
    await new Promise((resolve) => setImmediate(resolve))
  }

  return {
    /** The calls made to statuses. */
    calls: statuses.calls,
    hide: hiding(administrator, clients.graph),
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
    /** Runs a job now, as often as it is due. */
    async run(name: string, payload: object) {
      await module.jobs?.find((job) => job.name === name)?.run(payload)
    },
    /** Delivers events of statuses as one batch; each happens a second after the previous one. */
    deliver: (...events: Delivered[]) => deliver('statuses.v1', events),
    /** The same for events of auth. */
    deliverOfAuth: (...events: Delivered[]) => deliver('auth.v1', events),
    async close() {
      await bus.close()
      await close()
      await statuses.close()
      await administrator.end()
      await database.close()
      await own.drop()
    },
  }
}

export type Harness = Awaited<ReturnType<typeof openHarness>>

type Reported = { to?: string; type?: string; by?: string; about?: string; relation?: Partial<Relation> }

/** The event that an account is to be notified. */
export const addressed = ({ to = '1', type = 'favourite', by = '2', about = '', relation }: Reported): DomainEvent => ({
  $case: 'recipientAddressed',
  value: { recipientId: to, reason: type, actorId: by, statusId: about, relation: relation && Relation.fromPartial(relation) },
})

/** The event that matching notifications are withdrawn. */
export const withdrawn = ({ to = '', type = '', by = '', about = '' }: Reported): DomainEvent => ({
  $case: 'notificationWithdrawn',
  value: { recipientId: to, reason: type, actorId: by, statusId: about },
})
