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

/** How long it may take, in milliseconds. */
const MILLISECONDS = 60_000
/** Differences that are mended at a time; others come with the next activity. */
const MAX_CHANGES = 100

const listedIn = ({ orderedItems, items }: { orderedItems?: unknown; items?: unknown }): unknown[] => [orderedItems ?? items].flat()

/** The ids that a collection of followers holds, itself or in a first page within it. */
const itemsIn = (document: JsonObject): string[] => {
  const { first } = document
  const listed = [...listedIn(document), ...(typeof first === 'object' && first !== null ? listedIn(first) : [])]
  return [...new Set(listed.filter((item) => typeof item === 'string'))]
}

/**
 * Compares the people of this server who follow someone elsewhere with those that the other server counts, and mends what differs (FEP-8fcf): who does not follow
 * there follows no more here; who is counted there and does not follow here is taken off there, or has their request accepted. Only a list that
 * has the digest that was said is believed.
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
      // Read again: a follow that was accepted while the list was fetched is neither missing there nor here.
      const here = await followersHere(actor.accountId)
      const gone = [...here].filter(([uri]) => before.has(uri) && !expected.has(uri)).slice(0, MAX_CHANGES)
      for (const [, id] of gone) await orRefused(graph.unfollow(ownCall(), { viewerId: id, accountId: actor.accountId }))
      const missing = await people([...expected].filter((uri) => !here.has(uri)).slice(0, MAX_CHANGES))
      for (const { id } of missing.values()) await takeOff(id, actor.accountId)
    },
  })
}
