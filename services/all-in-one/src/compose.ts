import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type AuthConfig, type AuthTables, storage as authStorage, createAuth, statusesClients } from '@rookery/auth'
import { TokensDefinition } from '@rookery/contracts/auth'
import { AttachmentsDefinition } from '@rookery/contracts/media'
import {
  AccountsDefinition,
  ConversationsDefinition,
  DiscoveryDefinition,
  ListsDefinition,
  ViewsDefinition,
} from '@rookery/contracts/statuses'
import { prepareDatabase, roleOf } from '@rookery/database'
import { type Ephemeral, memoryEphemeral } from '@rookery/ephemeral'
import { deadLetterHandler, inProcessBus } from '@rookery/events'
import { createFederation, type FederationConfig, type FederationTables, storage as federationStorage } from '@rookery/federation'
import { createGateway, type GatewayConfig, serviceClients } from '@rookery/gateway'
import type { MayConnect } from '@rookery/guarded-fetch'
import { snowflakes } from '@rookery/ids'
import { createMedia, type Storage as FileStorage, type MediaConfig, type MediaTables, storage as mediaStorage } from '@rookery/media'
import { createNotifications, type NotificationsTables, storage as notificationsStorage } from '@rookery/notifications'
import { type CallObserver, type Definition, type Handler, link } from '@rookery/rpc'
import {
  busFigures,
  type Checks,
  type Clock,
  countedLive,
  type Figure,
  type Logger,
  poolFigures,
  type ServiceModule,
  type ServiceStorage,
  storedFigures,
  type Tracing,
  tracedBus,
  tracedClient,
  tracedHttp,
  tracedLive,
  watchedBus,
} from '@rookery/runtime'
import { createStatuses, type StatusesConfig, type StatusesTables, storage as statusesStorage } from '@rookery/statuses'
import { createStreaming, type StreamingConfig } from '@rookery/streaming'
import { createFront } from './front.ts'
import { openStorage, startBackground, type Watch } from './storage.ts'

/** The configuration of every module. */
export type RookeryConfig = {
  auth: AuthConfig
  statuses: StatusesConfig
  media: MediaConfig
  federation: FederationConfig
  streaming: StreamingConfig
  gateway: GatewayConfig
}

export type ComposeGiven = {
  /** Where a role finds the database; the administrator's role is postgres. */
  urlOf(role: string): string
  /** Where uploaded files are kept. */
  files: FileStorage
  config: RookeryConfig
  clock: Clock
  log: Logger
  /** Sends every call through its codecs, so that tests prove both transports alike. */
  isWired?: boolean
  /** Off in tests: jobs then wait for `runJobs`. */
  isWorking?: boolean
  /** Where pages that posts link to are asked for; hosts of the public internet unless a test says otherwise. */
  mayConnect?: MayConnect
  observeCall?: CallObserver
  observeStatement?: (text: string) => void
  /** Whom the parts tell of their work, and who watches that they get on. */
  watch?: Watch
  /** Follows requests to what comes of them; nothing is traced without. */
  tracing?: Tracing
}

/** The whole server in one process. */
export type Rookery = {
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** What services may call of each other. */
  readonly rpc: readonly Handler[]
  /** What the operator's command may call. */
  readonly operator: readonly Handler[]
  readonly checks: Checks
  /** What the modules count, and what there is of work for them. */
  readonly figures: readonly Figure[]
  readonly ephemeral: Ephemeral
  /** Resolves when every fact has been acted on, and what followed from it. */
  settle(): Promise<void>
  /** Runs the jobs that are due. */
  runJobs(): Promise<void>
  /** Tells open streams to go; the public listener cannot end before they have. */
  endStreams(): Promise<void>
  close(): Promise<void>
}

const CONNECTIONS = { auth: 6, statuses: 10, media: 3, notifications: 4, federation: 2 } as const
const NOTHING = { consumers: [], jobs: [] }
/** What each service with a schema keeps. */
export const STORAGES: readonly ServiceStorage[] = [mediaStorage, statusesStorage, federationStorage, notificationsStorage, authStorage]

/**
 * Builds every module in the order calls go downhill, each given clients of those before it: in-process links, an in-process bus and
 * memory for what may be lost. The roles, schemas and migrations are those of the services apart.
 */
export const compose = async (given: ComposeGiven): Promise<Rookery> => {
  const { clock, log, config } = given
  await prepareDatabase(
    given.urlOf('postgres'),
    STORAGES.map(({ name }) => roleOf(given.urlOf(name))),
  )
  const { watch, tracing } = given
  const plainBus = tracedBus(inProcessBus(), tracing)
  const bus = watch ? watchedBus(plainBus, watch.liveness) : plainBus
  const memory = memoryEphemeral(clock.now)
  const counted = countedLive(tracedLive(memory.live, tracing))
  const ephemeral = { ...memory, live: counted.live }
  const ids = snowflakes(clock.now)
  const open = (storage: ServiceStorage, hasJobs: boolean) => ({
    url: given.urlOf(storage.name),
    bus,
    clock,
    log,
    hasJobs,
    watch,
    tracing,
    connections: CONNECTIONS[storage.name as keyof typeof CONNECTIONS],
    onStatement: given.observeStatement,
  })
  const [mediaStore, statusesStore, federationStore, notificationsStore, authStore] = await Promise.all([
    openStorage<MediaTables>(mediaStorage, open(mediaStorage, true)),
    openStorage<StatusesTables>(statusesStorage, open(statusesStorage, true)),
    openStorage<FederationTables>(federationStorage, open(federationStorage, false)),
    openStorage<NotificationsTables>(notificationsStorage, open(notificationsStorage, false)),
    openStorage<AuthTables>(authStorage, open(authStorage, true)),
  ])

  const linkTo = <D extends Definition>(module: ServiceModule, definition: D) => {
    const served = module.rpc.find((handler) => handler.definition.fullName === definition.fullName)
    if (!served) throw new Error(`no module serves ${definition.fullName}`)
    const client = link(definition, served, {
      wire: given.isWired ?? false,
      ...(given.observeCall ? { observe: given.observeCall } : {}),
      ...(watch ? { meter: watch.observers.made } : {}),
      onFault: (path, error) => log.error({ err: error, path }, 'a call failed by a fault of ours'),
    })
    return tracedClient(definition, client, tracing)
  }

  const media = createMedia({ ...mediaStore, storage: given.files, ids, clock, log, config: config.media })
  const attachments = linkTo(media, AttachmentsDefinition)
  const statuses = createStatuses({
    ...statusesStore,
    live: ephemeral.live,
    presence: ephemeral.presence,
    media: { attachments },
    clock,
    ids,
    log,
    config: config.statuses,
    ...(given.mayConnect ? { mayConnect: given.mayConnect } : {}),
  })
  const accounts = linkTo(statuses, AccountsDefinition)
  const views = linkTo(statuses, ViewsDefinition)
  const discovery = linkTo(statuses, DiscoveryDefinition)
  const federation = createFederation({ ...federationStore, statuses: { accounts, discovery }, clock, log, config: config.federation })
  const notifications = createNotifications({
    ...notificationsStore,
    live: ephemeral.live,
    presence: ephemeral.presence,
    statuses: { views },
    clock,
    log,
  })
  const auth = createAuth({
    ...authStore,
    live: ephemeral.live,
    rates: ephemeral.rates,
    statuses: statusesClients((definition) => linkTo(statuses, definition)),
    clock,
    ids,
    log,
    config: config.auth,
  })
  const tokens = linkTo(auth, TokensDefinition)
  const streaming = createStreaming({
    live: ephemeral.live,
    presence: ephemeral.presence,
    auth: { tokens },
    statuses: { views, conversations: linkTo(statuses, ConversationsDefinition), lists: linkTo(statuses, ListsDefinition) },
    log,
    config: config.streaming,
  })
  const byName: Record<string, ServiceModule> = { auth, statuses, media, notifications, federation }
  const served = (service: string) => {
    const module = byName[service]
    if (!module) throw new Error(`there is no service ${service}`)
    return module
  }
  const gateway = createGateway({
    services: serviceClients((service, definition) => linkTo(served(service), definition)),
    rates: ephemeral.rates,
    clock,
    log,
    config: config.gateway,
  })

  const running = { bus, log, isWorking: given.isWorking ?? true, watch }
  const workers = await Promise.all([
    startBackground(mediaStore, media, running),
    startBackground(statusesStore, statuses, running),
    startBackground(federationStore, federation, running),
    startBackground(notificationsStore, notifications, running),
    startBackground(authStore, auth, running),
  ])
  const modules = [media, statuses, federation, notifications, auth, gateway]
  let streamsEnd: Promise<void> | undefined
  const endStreams = () => {
    streamsEnd ??= streaming.close?.() ?? Promise.resolve()
    return streamsEnd
  }
  const stores = [mediaStore, statusesStore, federationStore, notificationsStore, authStore]
  const letterBoxes = [
    { service: 'media', db: mediaStore.database.db, consumers: media.consumers },
    { service: 'statuses', db: statusesStore.database.db, consumers: statuses.consumers },
    { service: 'notifications', db: notificationsStore.database.db, consumers: notifications.consumers },
    { service: 'auth', db: authStore.database.db, consumers: auth.consumers },
  ]
  const front = createFront({ auth, media, streaming, gateway })

  return {
    answer: tracedHttp(front.answer, tracing),
    upgrade: front.upgrade,
    rpc: modules.flatMap((module) => module.rpc),
    operator: [...modules.flatMap((module) => module.operator ?? []), deadLetterHandler(letterBoxes)],
    checks: Object.assign({}, ...[...modules, streaming].map((module) => module.checks ?? {})),
    figures: [
      ...[...modules, streaming].flatMap((module) => module.figures ?? []),
      ...stores.flatMap((store) => poolFigures({ service: store.name, database: store.database })),
      ...stores.flatMap((store) => storedFigures({ service: store.name, database: store.database }, { ...NOTHING, ...byName[store.name] })),
      ...busFigures(bus),
      ...counted.figures,
    ],
    ephemeral,
    async settle() {
      while (stores.some(({ relay }) => !relay.isIdle())) await Promise.all(stores.map(({ relay }) => relay.drain()))
    },
    async runJobs() {
      for (const worker of workers) await worker?.runDue()
    },
    endStreams,
    async close() {
      await endStreams()
      for (const module of modules.toReversed()) await module.close?.()
      for (const worker of workers) await worker?.close()
      for (const { relay } of stores) await relay.close()
      await bus.close()
      for (const { database } of stores) await database.close()
      await ephemeral.close()
    },
  }
}
