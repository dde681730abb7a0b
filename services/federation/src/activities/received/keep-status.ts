import { Visibility } from '@rookery/contracts/statuses'
import type { FetchedDocument, RemoteActor } from '../../contract.ts'
import { ownCall } from '../../own-call.ts'
import { type ObjectDocument, visibilityOf } from '../../vocabulary/index.ts'
import { type AncestorsDeps, findAncestors } from './ancestors.ts'
import { type Budget, orRefused, type ReceivedDeps } from './deps.ts'
import { type FetchedStatus, fetchStatuses } from './fetch-status.ts'
import { findMentioned } from './mentions.ts'
import { verifyQuoteAuthorization } from './quote-authorization.ts'
import { statusOf } from './status.rules.ts'

/** Maximum documents fetched for a status that a relay names, with its author, ancestors and mentions: relays send many. */
const RELAYED_FETCHES = 10

/** Maximum depth to which quotes of quoted statuses are fetched. */
const MAX_QUOTES = 2

type KeepOptions = { readonly budget: Budget; readonly isFetched: boolean; readonly quoteDepth?: number }

/** Stores a status with its ancestors, quotes and mentions. */
const keepStatuses = (deps: ReceivedDeps & AncestorsDeps) => {
  const mentioned = findMentioned(deps)
  const authorization = verifyQuoteAuthorization(deps)
  const ancestors = findAncestors(deps)

  const store = async ({ object, author }: FetchedStatus, inReplyToId: string, options: KeepOptions): Promise<string> => {
    const { budget, isFetched, quoteDepth = 0 } = options
    const mentionedAccountIds = await mentioned(object, author, budget)
    const quotedStatusId = quoteDepth < MAX_QUOTES ? await find(object.quotedUri, budget, quoteDepth + 1) : ''
    const quoteAuthorizationUri = await authorization(object, quotedStatusId, budget)
    const resolved = { inReplyToId, mentionedAccountIds, quotedStatusId, quoteAuthorizationUri, isFetched, now: deps.clock.now() }
    const status = statusOf(object, author, resolved)
    return (await orRefused(deps.statuses.remoteStatuses.store(ownCall(), status)))?.id ?? ''
  }

  /** Stores statuses from the highest down, each as a reply to the one before. */
  const keepChain = async (uri: string, options: KeepOptions): Promise<string> => {
    const { chain, topId } = await ancestors(uri, options.budget)
    let id = topId
    for (const fetched of chain.reverse()) id = await store(fetched, id, { ...options, isFetched: true })
    return id
  }

  const find = async (uri: string, budget: Budget, quoteDepth = 0): Promise<string> =>
    uri === '' || (await deps.acts.isDeleted(uri)) ? '' : keepChain(uri, { budget, isFetched: true, quoteDepth })

  return {
    find,
    keep: async (fetched: FetchedStatus, options: KeepOptions): Promise<string> =>
      store(fetched, await keepChain(fetched.object.inReplyTo, options), options),
  }
}

/** Stores and finds remote statuses within the budget of one activity. Ids are empty if a status is missing or refused. */
export const createStatuses = (deps: ReceivedDeps) => {
  const known = async (uri: string): Promise<string> => {
    if (uri === '') return ''
    const found = await deps.statuses.remoteStatuses.readByUris(ownCall(), { uris: [uri] })
    return found.statuses[0]?.id ?? ''
  }
  const { fetchStatus, readStatus } = fetchStatuses(deps)
  const { find, keep } = keepStatuses({ ...deps, fetchStatus, known })
  const keepFetched = async (fetched: FetchedStatus | undefined, budget: Budget): Promise<string> =>
    fetched ? keep(fetched, { budget, isFetched: true }) : ''

  return {
    /** The local id of the status with this uri. */
    known,
    /** The subset of these uris whose statuses are known; at most 1000 are looked up. */
    async knownAmong(uris: readonly string[]): Promise<ReadonlySet<string>> {
      if (uris.length === 0) return new Set()
      const found = await deps.statuses.remoteStatuses.readByUris(ownCall(), { uris: [...uris] })
      return new Set(found.statuses.map(({ uri }) => uri))
    },
    /** Stores an object of this author, with its ancestors and quotes. */
    keep: (object: ObjectDocument, author: RemoteActor, options: KeepOptions): Promise<string> => keep({ object, author }, options),
    /** The id of the status with this uri, fetched from its server if unknown. */
    find: (uri: string, budget: Budget): Promise<string> => find(uri, budget),
    /** Fetches a status again from its own server, known or not. Returns whether it is there. */
    async refresh(uri: string, budget: Budget): Promise<boolean> {
      const fetched = await fetchStatus(uri, budget)
      await keepFetched(fetched, budget)
      return fetched !== undefined
    },
    /** Fetches a status from its own server and stores it; undefined if it is missing or refused. */
    async open(uri: string, budget: Budget): Promise<ObjectDocument | undefined> {
      const fetched = (await deps.acts.isDeleted(uri)) ? undefined : await fetchStatus(uri, budget)
      return (await keepFetched(fetched, budget)) === '' ? undefined : fetched?.object
    },
    /** Stores a public status that a relay names, fetched from its own server, as if that had delivered it. */
    async keepRelayed(uri: string, { signal }: Budget): Promise<void> {
      if (uri === '' || (await deps.acts.isDeleted(uri)) || (await known(uri)) !== '') return
      const budget = { signal, fetches: RELAYED_FETCHES }
      const fetched = await fetchStatus(uri, budget)
      if (!fetched || visibilityOf(fetched.object.recipients, fetched.author.followersUri) !== Visibility.PUBLIC) return
      await keep(fetched, { budget, isFetched: false })
    },
    /** Stores a fetched document if it is a status of the server that it came from. */
    keepFound: async (found: FetchedDocument, budget: Budget): Promise<string> => keepFetched(await readStatus(found, budget), budget),
  }
}
