import type { Database } from '@rookery/database'
import { Failure, type FailureKind } from '@rookery/failures'
import type { Clock, Logger } from '@rookery/runtime'
import type { ActivityContext, Actors, Deliver, FetchDocument, RemoteActor } from '../../contract.ts'
import type { FederationTables } from '../../database/schema.ts'
import type { RejectsReports } from '../../policy/index.ts'
import type { Activity, Places } from '../../vocabulary/index.ts'
import type { Acts } from '../acts.ts'
import type { ActivityClients } from '../clients.ts'
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
  requestThread: RequestThread
  rejectsReports: RejectsReports
  clock: Clock
  log: Logger
}

/** What one activity may cost of other servers. */
export type Budget = { readonly signal: AbortSignal; fetches: number }

/** Documents fetched for one activity: its object, those it answers, and people it names. */
const MAX_FETCHES = 40

/** What the handler of an activity gets: the activity, who signed it, and what it may cost. */
export type Received = {
  readonly activity: Activity
  /** With an account, unless the handler asks for one itself. */
  readonly actor: RemoteActor
  readonly context: ActivityContext
  readonly budget: Budget
  /** The actor with an account, which is opened where there is none: strangers get one when what they do concerns someone here. */
  withAccount(): Promise<RemoteActor | undefined>
}

export type Receive = (received: Received) => Promise<void>

export const newBudget = (signal: AbortSignal): Budget => ({ signal, fetches: MAX_FETCHES })

/** Failures that say that the activity cannot be done, now or later: nothing to try again. */
const FINAL = new Set<FailureKind>(['not_found', 'forbidden', 'invalid', 'conflict', 'malformed'])

/** The answer; undefined where statuses refuses. @throws what may do better later */
export const orRefused = async <Answer>(work: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof Failure && FINAL.has(error.kind)) return undefined
    throw error
  }
}
