import type { AccountReference, StatusReference } from '@rookery/contracts/statuses'
import type { EventKind, Received } from '@rookery/events'
import type { Actors, Outbound } from '../../contract.ts'
import { ownCall } from '../../own-call.ts'
import type { Relays } from '../../relays/index.ts'
import type { Places } from '../../vocabulary/index.ts'
import type { Acts } from '../acts.ts'
import type { ActivityClients } from '../clients.ts'

export type SentDeps = {
  at: Places
  statuses: ActivityClients
  acts: Acts
  relays: Pick<Relays, 'inboxes'>
  actors: Pick<Actors, 'knownByUris'>
  /** Schedules reading the pinned statuses of a remote account. */
  readPins(uri: string): Promise<void>
  /** The public key of a local account, in PEM. */
  publicKeyOf(accountId: string): Promise<string>
  /** The inboxes of all known remote accounts, shared inboxes once, and of relays. */
  knownInboxes(): Promise<string[]>
}

/** Builds the activities to send for an event. */
export type Sends<Kind extends EventKind> = (received: Received<Kind>) => Promise<readonly Outbound[]>

const PAGE = 1000

/** Reads all pages of account ids. */
const allIds = async (read: (afterId: string) => Promise<{ ids: string[]; lastId: string }>): Promise<string[]> => {
  const found: string[] = []
  let afterId = ''
  do {
    const { ids, lastId } = await read(afterId)
    found.push(...ids)
    afterId = lastId
  } while (afterId !== '')
  return found
}

/** The remote accounts that a status is delivered to. */
export const audienceOf = ({ statuses }: SentDeps, statusId: string): Promise<string[]> =>
  allIds((afterId) => statuses.outgoing.readAudience(ownCall(), { statusId, afterId, limit: PAGE }))

/** The remote followers of a local account. */
export const followersOf = ({ statuses }: SentDeps, accountId: string): Promise<string[]> =>
  allIds((afterId) => statuses.outgoing.readRemoteFollowers(ownCall(), { accountId, afterId, limit: PAGE }))

/** A local status for delivery; undefined if it is gone or remote. */
export const outgoingStatus = async ({ statuses }: SentDeps, id: string) =>
  (await statuses.outgoing.readStatus(ownCall(), { id, isDelivery: true })).statuses[0]

export type References = { account(id: string): AccountReference | undefined; status(id: string): StatusReference | undefined }

/** Reads the uris of accounts and statuses. */
export const references = async (
  { statuses }: SentDeps,
  asked: { accountIds?: readonly string[]; statusIds?: readonly string[] },
): Promise<References> => {
  const found = await statuses.outgoing.readReferences(ownCall(), {
    accountIds: [...(asked.accountIds ?? [])],
    statusIds: [...(asked.statusIds ?? [])],
  })
  const accounts = new Map(found.accounts.map((account) => [account.id, account]))
  const byId = new Map(found.statuses.map((status) => [status.id, status]))
  return { account: (id) => accounts.get(id), status: (id) => byId.get(id) }
}

/** A local and a remote account; undefined unless they are such a pair. */
export const pairOf = async (deps: SentDeps, localId: string, remoteId: string) => {
  const found = await references(deps, { accountIds: [localId, remoteId] })
  const local = found.account(localId)
  const remote = found.account(remoteId)
  return local?.isLocal && remote && !remote.isLocal ? { local, remote } : undefined
}
