import { type Database, transact } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import { DocumentError, type JsonObject } from '../../contract.ts'
import type { FederationTables } from '../../database/schema.ts'
import { digestOf } from '../../followers/index.ts'
import { SYNCHRONISE_FOLLOWERS } from '../../inbox/index.ts'
import { ownCall } from '../../own-call.ts'
import { orRefused, type ReceivedDeps } from '../received/deps.ts'
import { localPeople } from '../received/local-people.ts'
import type { SentDeps } from '../sent/deps.ts'
import { undoFollow } from '../sent/follows.ts'

type Deps = ReceivedDeps & SentDeps & { database: Database<FederationTables> }
type Payload = { actorUri: string; url: string; digest: string }

/** Timeout, in milliseconds. */
const MILLISECONDS = 60_000
/** Maximum differences of each kind to repair per run; the next activity brings the rest. */
const MAX_CHANGES = 100

const listedIn = ({ orderedItems, items }: { orderedItems?: unknown; items?: unknown }): unknown[] => [orderedItems ?? items].flat()

/** The ids in a followers collection, inline or in an embedded first page. */
const itemsIn = (document: JsonObject): string[] => {
  const { first } = document
  const listed = [...listedIn(document), ...(typeof first === 'object' && first !== null ? listedIn(first) : [])]
  return [...new Set(listed.filter((item) => typeof item === 'string'))]
}

/**
 * Compares the local followers of a remote account with those that its server lists, and repairs differences (FEP-8fcf): followers that
 * only we have unfollow; for those that only the other server has, a pending request is accepted, else an Undo of the follow is sent. A
 * list is used only if it has the announced digest.
 */
export const synchroniseFollowersJob = (deps: Deps): Job => {
  const { statuses, actors, at, baseUrl, database, clock } = deps
  const { remoteAccounts, graph } = statuses
  const people = localPeople(deps)

  const followersHere = async (accountId: string) => {
    const found = new Map<string, string>()
    for (let afterId = ''; ; ) {
      const { followers, lastId } = await remoteAccounts.readLocalFollowers(ownCall(), { accountId, afterId, limit: 0 })
      for (const { id, username } of followers) found.set(at.actor(username), id)
      if (lastId === '') return found
      afterId = lastId
    }
  }

  const expectedAt = async ({ url, digest }: Payload): Promise<Set<string> | undefined> => {
    try {
      const { document } = await deps.fetchDocument(url, { signal: AbortSignal.timeout(MILLISECONDS) })
      const items = itemsIn(document)
      return digestOf(items) === digest ? new Set(items.filter((uri) => uri.startsWith(`${baseUrl}/`))) : undefined
    } catch (error) {
      if (error instanceof DocumentError) return undefined
      throw error
    }
  }

  const takeOff = async (accountId: string, targetId: string) => {
    if (await orRefused(graph.authorizeFollowRequest(ownCall(), { viewerId: targetId, accountId }))) return
    const outbound = await undoFollow(deps, { id: `${targetId}-${clock.now()}`, accountId, targetId })
    await transact(database.db, async (tx) => {
      for (const one of outbound) await deps.deliver(tx, one)
    })
  }

  return job<Payload>({
    name: SYNCHRONISE_FOLLOWERS,
    lane: 'reading',
    async run(payload) {
      const [actor] = await actors.knownByUris([payload.actorUri])
      if (!actor?.accountId) return
      const before = await followersHere(actor.accountId)
      if (digestOf(before.keys()) === payload.digest) return
      const expected = await expectedAt(payload)
      if (!expected) return
      // Read again: a follow accepted while the list was being fetched is missing on neither side.
      const here = await followersHere(actor.accountId)
      const gone = [...here].filter(([uri]) => before.has(uri) && !expected.has(uri)).slice(0, MAX_CHANGES)
      for (const [, id] of gone) await orRefused(graph.unfollow(ownCall(), { viewerId: id, accountId: actor.accountId }))
      const missing = await people([...expected].filter((uri) => !here.has(uri)).slice(0, MAX_CHANGES))
      for (const { id } of missing.values()) await takeOff(id, actor.accountId)
    },
  })
}
