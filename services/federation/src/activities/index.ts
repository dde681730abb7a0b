import { type Database, transact } from '@rookery/database'
import type { Clock, Logger } from '@rookery/runtime'
import { readPinsLater } from '../actors/index.ts'
import type { Vocabulary, Wire } from '../contract.ts'
import type { FederationTables } from '../database/schema.ts'
import { ownCall } from '../own-call.ts'
import { rejectsReports } from '../policy/index.ts'
import { createRelays } from '../relays/index.ts'
import { places } from '../vocabulary/index.ts'
import { createActs } from './acts.ts'
import type { ActivityClients } from './clients.ts'
import { readCountsJob } from './collections/read-counts.job.ts'
import { readFeaturedTagsJob } from './collections/read-featured-tags.job.ts'
import { readPinsJob } from './collections/read-pins.job.ts'
import { synchroniseFollowersJob } from './collections/synchronise-followers.job.ts'
import { newBudget } from './received/deps.ts'
import { createStatuses } from './received/keep-status.ts'
import { receiveActivities } from './received/receive.ts'
import { requestQuoteCheck } from './request-quote-check.ts'
import { requestThread } from './request-thread.ts'
import { announceActor } from './sent/announce-actor.ts'
import { readKnownInboxes } from './sent/inboxes.store.ts'
import { sendActivities, sendActivitiesJob } from './sent/send-activities.ts'
import { createDocuments } from './shown/documents.ts'
import { checkQuoteJob } from './threads/check-quote.job.ts'
import { fetchThreadJob } from './threads/fetch-thread.job.ts'

export { pruneDeletions } from './acts.store.ts'
export { type ActivityClients, statusesClients } from './clients.ts'
export { pruneThreads } from './thread.store.ts'

type ActivitiesDeps = Wire & {
  baseUrl: string
  database: Database<FederationTables>
  statuses: ActivityClients
  clock: Clock
  log: Logger
}

/** Maximum documents fetched for a thread that a reader opened. */
const OPENED_FETCHES = 60

/** Maximum time of a look-up that a user waits for, in milliseconds. */
const LOOK_UP = 15_000

/** Handles received activities, sends ours, and renders the documents that other servers may fetch. */
export const createActivities = (deps: ActivitiesDeps): Vocabulary => {
  const at = places(deps.baseUrl)
  const knownInboxes = async () => (await readKnownInboxes(deps.database, {})).map(({ inbox }) => inbox)
  const all = {
    ...deps,
    at,
    acts: createActs(deps),
    relays: createRelays({ ...deps, at }),
    knownInboxes,
    requestThread: requestThread(deps),
    requestQuoteCheck: requestQuoteCheck(deps),
    rejectsReports: rejectsReports(deps),
    readPins: (uri: string) => transact(deps.database.db, (tx) => readPinsLater(tx, uri)),
  }
  const statuses = createStatuses(all)
  const documents = createDocuments(all)
  return {
    ...documents,
    announceActor: announceActor({ ...all, serverActor: documents.renderServerActor }),
    onActivity: receiveActivities(all),
    consumers: [sendActivities()],
    jobs: [
      sendActivitiesJob(all),
      fetchThreadJob(all),
      checkQuoteJob(all),
      readCountsJob(all),
      readFeaturedTagsJob(all),
      readPinsJob(all),
      synchroniseFollowersJob(all),
    ],
    openThread: (uri) => all.requestThread(uri, { fetches: OPENED_FETCHES }),
    resolveStatus: (document, url) => statuses.keepFound({ document, url }, newBudget(AbortSignal.timeout(LOOK_UP))),
    knownStatus: async (uris) => (await deps.statuses.remoteStatuses.readByUris(ownCall(), { uris: [...uris] })).statuses[0]?.id ?? '',
  }
}
