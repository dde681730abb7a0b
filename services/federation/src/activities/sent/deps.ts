import type { AccountReference, StatusReference } from '@rookery/contracts/statuses'
import type { EventKind, Received } from '@rookery/events'
import type { Actors, Outbound } from '../../contract.ts'
import { ownCall } from '../../own-call.ts'
import type { Places } from '../../vocabulary/index.ts'
import type { Acts } from '../acts.ts'
import type { ActivityClients } from '../clients.ts'

export type SentDeps = {
  at: Places
  statuses: ActivityClients
  acts: Acts
  actors: Pick<Actors, 'knownByUris'>
  /** Has what someone elsewhere pinned read in the background. */
  readPins(uri: string): Promise<void>
  /** The public key of an account of this server, in PEM. */
  publicKeyOf(accountId: string): Promise<string>
  /** The inboxes of all people elsewhere who are known here, shared ones once. */
  knownInboxes(): Promise<string[]>
}

/** What an event of ours sends. */
export type Sends<Kind extends EventKind> = (received: Received<Kind>) => Promise<readonly Outbound[]>

const PAGE = 1000

/** Reads all pages of accounts. */
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

/** The accounts elsewhere that a status goes to. */
export const audienceOf = ({ statuses }: SentDeps, statusId: string): Promise<string[]> =>
  allIds((afterId) => statuses.outgoing.readAudience(ownCall(), { statusId, afterId, limit: PAGE }))

/** The followers elsewhere of a person here. */
export const followersOf = ({ statuses }: SentDeps, accountId: string): Promise<string[]> =>
  allIds((afterId) => statuses.outgoing.readRemoteFollowers(ownCall(), { accountId, afterId, limit: PAGE }))

/** A status of this server as it leaves; undefined where it is gone, or is of elsewhere. */
export const outgoingStatus = async ({ statuses }: SentDeps, id: string) =>
  (await statuses.outgoing.readStatus(ownCall(), { id, isDelivery: true })).statuses[0]

export type References = { account(id: string): AccountReference | undefined; status(id: string): StatusReference | undefined }

/** Where people and statuses are. */
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

/** A person here and one elsewhere; undefined where it is otherwise. */
export const pairOf = async (deps: SentDeps, localId: string, remoteId: string) => {
  const found = await references(deps, { accountIds: [localId, remoteId] })
  const local = found.account(localId)
  const remote = found.account(remoteId)
  return local?.isLocal && remote && !remote.isLocal ? { local, remote } : undefined
}
