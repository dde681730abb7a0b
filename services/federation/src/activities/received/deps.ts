import type { Database } from '@rookery/database'
import { Failure, type FailureKind } from '@rookery/failures'
import type { Clock, Logger } from '@rookery/runtime'
import type { ActivityContext, Actors, Deliver, FetchDocument, RemoteActor } from '../../contract.ts'
import type { FederationTables } from '../../database/schema.ts'
import type { RejectsReports } from '../../policy/index.ts'
import type { Relays } from '../../relays/index.ts'
import type { Activity, Places } from '../../vocabulary/index.ts'
import type { Acts } from '../acts.ts'
import type { ActivityClients } from '../clients.ts'
import type { RequestQuoteCheck } from '../request-quote-check.ts'
import type { RequestThread } from '../request-thread.ts'

export type ReceivedDeps = {
  baseUrl: string
  at: Places
  database: Database<FederationTables>
  statuses: ActivityClients
  actors: Actors
  fetchDocument: FetchDocument
  deliver: Deliver
  acts: Acts
  relays: Pick<Relays, 'isRelay' | 'answer'>
  requestThread: RequestThread
  requestQuoteCheck: RequestQuoteCheck
  rejectsReports: RejectsReports
  clock: Clock
  log: Logger
}

/** Limits of the fetches that one activity may cause. */
export type Budget = { readonly signal: AbortSignal; fetches: number }

/** Maximum documents fetched for one activity: its object, ancestors and mentioned actors. */
const MAX_FETCHES = 40

/** The input of an activity handler: the activity, its signer and its budget. */
export type Received = {
  readonly activity: Activity
  /** Has an account, except in handlers that call `withAccount`. */
  readonly actor: RemoteActor
  readonly context: ActivityContext
  readonly budget: Budget
  /** The actor with an account, created if needed: strangers get one only when their activity concerns someone here. */
  withAccount(): Promise<RemoteActor | undefined>
}

export type Receive = (received: Received) => Promise<void>

export const newBudget = (signal: AbortSignal): Budget => ({ signal, fetches: MAX_FETCHES })

/** Failures that are permanent for the activity: a retry cannot help. */
const FINAL = new Set<FailureKind>(['not_found', 'forbidden', 'invalid', 'conflict', 'malformed'])

/** The answer; undefined if statuses refuses permanently. @throws failures that a retry may cure */
export const orRefused = async <Answer>(work: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof Failure && FINAL.has(error.kind)) return undefined
    throw error
  }
}
