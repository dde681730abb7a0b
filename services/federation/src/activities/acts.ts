import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { FederationTables } from '../database/schema.ts'
import { together } from '../database/together.ts'
import { type Act, readAct, readActByUri, removeAct, writeActs } from './acts.store.ts'

/** Deliveries of one server overtake each other by less than this, in milliseconds. */
const TAKEN_BACK = 3_600_000

/** Received activities and their effects, by the ids of the activities. */
export type Acts = {
  byUri(uri: string): Promise<Act | undefined>
  /** Whether the deletion of a status, or the Undo of a boost, arrived before it. */
  isDeleted(uri: string): Promise<boolean>
  /**
   * Whether the Undo of this activity arrived shortly before it. Older ones do not count: servers that reuse activity ids may repeat the
   * activity later.
   */
  isTakenBack(uri: string): Promise<boolean>
  /** The activity id of an account's act on a subject. */
  uriOf(act: Omit<Act, 'uri'>): Promise<string | undefined>
  keep(act: Act): Promise<void>
  forget(act: Omit<Act, 'uri'>): Promise<void>
}

export const createActs = ({ database, clock }: { database: Database<FederationTables>; clock: Clock }): Acts => {
  const byUri = async (uri: string) => (uri ? (await readActByUri(database, { uri }))[0] : undefined)
  /** Writes run one after the other: an act must see the one that it replaces. */
  const keep = together<Act, void>(async (acts) => {
    await writeActs(database, {
      uris: acts.map(({ uri }) => uri),
      kinds: acts.map(({ kind }) => kind),
      accountIds: acts.map(({ accountId }) => accountId),
      subjectIds: acts.map(({ subjectId }) => subjectId),
      now: new Date(clock.now()),
    })
    return new Map()
  })
  return {
    byUri,
    isDeleted: async (uri) => (await byUri(uri))?.kind === 'delete',
    isTakenBack: async (uri) => {
      const act = await byUri(uri)
      return act?.kind === 'delete' && act.createdAt.getTime() > clock.now() - TAKEN_BACK
    },
    uriOf: async (act) => (await readAct(database, act))[0]?.uri,
    keep,
    forget: (act) => transact(database.db, (tx) => removeAct(tx, act)),
  }
}
