import type { RemoteActor } from '../../contract.ts'
import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { isTombstone, localName, type ObjectDocument, readActivity, readObject } from '../../vocabulary/index.ts'
import { type Budget, orRefused, type ReceivedDeps } from './deps.ts'
import { findMentioned } from './mentions.ts'
import { verifyQuoteAuthorization } from './quote-authorization.ts'
import { authorOf, isBy, isVote, statusOf } from './status.rules.ts'

/** Statuses above the one that came: those of a longer thread stay unknown, and the highest one is a reply to an unknown one. */
const MAX_ANCESTORS = 20
/** A quoted status may quote another: this deep they are fetched. */
const MAX_QUOTES = 2

export type Statuses = {
  /** The id here of the status with this uri; empty where it is not known. */
  known(uri: string): Promise<string>
  /** Keeps an object of this author's, with what it answers and quotes; empty where it is refused. */
  keep(object: ObjectDocument, author: RemoteActor, options: KeepOptions): Promise<string>
  /** The status with this uri, fetched from its server where it is not known; empty where there is none. */
  find(uri: string, budget: Budget): Promise<string>
  /** Reads a status again from its own server, known or not. */
  refresh(uri: string, budget: Budget): Promise<void>
  /** Fetches a status from its own server and keeps it; undefined where there is none, or it is refused. */
  open(uri: string, budget: Budget): Promise<ObjectDocument | undefined>
  /** Keeps a document that was fetched from there, when it is a status of that server. */
  keepFetched(document: unknown, url: string, budget: Budget): Promise<string>
}

type KeepOptions = { readonly budget: Budget; readonly isFetched: boolean; readonly quoteDepth?: number }

type Fetched = { readonly object: ObjectDocument; readonly author: RemoteActor }

/** Keeps and finds statuses of other servers, within the bounds of what one activity may cost. */
export const createStatuses = (deps: ReceivedDeps): Statuses => {
  const { statuses, actors, acts, clock } = deps
  const mentioned = findMentioned(deps)
  const authorization = verifyQuoteAuthorization(deps)

  const known = async (uri: string): Promise<string> => {
    if (uri === '') return ''
    const found = await statuses.remoteStatuses.readByUris(ownCall(), { uris: [uri] })
    return found.statuses[0]?.id ?? ''
  }

  const fetchDocument = async (uri: string, budget: Budget): Promise<{ document: unknown; url: string } | undefined> => {
    if (budget.fetches <= 0 || budget.signal.aborted || localName(deps.baseUrl, uri)) return undefined
    budget.fetches--
    try {
      return await deps.fetchDocument(uri, { signal: budget.signal })
    } catch (error) {
      deps.log.debug({ err: error, uri }, 'no document of another server')
      return undefined
    }
  }

  /** What a document says that was fetched from `url`: its id, or the id of what it is about, is on that server. */
  const read = async (document: unknown, url: string, budget: Budget): Promise<Fetched | undefined> => {
    if (isTombstone(document)) return undefined
    const activity = readActivity(document)
    if (activity && (activity.type === 'Create' || activity.type === 'Update')) {
      if (activity.object.document && isSameHost(activity.object.uri, url)) return read(activity.object.document, url, budget)
      const found = activity.object.uri ? await fetchDocument(activity.object.uri, budget) : undefined
      return found && !readActivity(found.document) ? read(found.document, found.url, budget) : undefined
    }
    const object = readObject(document)
    const authorUri = object && authorOf(object)
    if (!object || !authorUri || !isSameHost(object.uri, url) || isVote(object)) return undefined
    const author = await actors.byUri(authorUri)
    return author?.accountId && isBy(object, author.uri) ? { object, author } : undefined
  }

  /** The status at a uri and those above it which are not known, the highest one last. */
  const chainFrom = async (uri: string, budget: Budget): Promise<{ chain: Fetched[]; topId: string }> => {
    const chain: Fetched[] = []
    const seen = new Set<string>()
    let next = uri
    while (next !== '' && !seen.has(next) && chain.length < MAX_ANCESTORS) {
      seen.add(next)
      const id = await known(next)
      if (id) return { chain, topId: id }
      const document = await fetchDocument(next, budget)
      const fetched = document && (await read(document.document, document.url, budget))
      const own = fetched?.object.uri ?? ''
      // Under another id it may be one that was passed already: a circle.
      if (!fetched || (own !== next && seen.has(own))) break
      seen.add(own)
      chain.push(fetched)
      next = fetched.object.inReplyTo
    }
    return { chain, topId: '' }
  }

  const store = async (
    { object, author }: Fetched,
    inReplyToId: string,
    { budget, isFetched, quoteDepth = 0 }: KeepOptions,
  ): Promise<string> => {
    const mentionedAccountIds = await mentioned(object, author, budget)
    const quotedStatusId = object.quotedUri && quoteDepth < MAX_QUOTES ? await find(object.quotedUri, budget, quoteDepth + 1) : ''
    const quoteAuthorizationUri = await authorization(object, quotedStatusId, budget)
    const resolved = { inReplyToId, mentionedAccountIds, quotedStatusId, quoteAuthorizationUri, isFetched, now: clock.now() }
    const status = statusOf(object, author, resolved)
    return (await orRefused(statuses.remoteStatuses.store(ownCall(), status)))?.id ?? ''
  }

  /** Keeps statuses from the highest down, each as an answer to the one above. */
  const keepChain = async (uri: string, options: KeepOptions): Promise<string> => {
    const { chain, topId } = await chainFrom(uri, options.budget)
    let id = topId
    for (const fetched of chain.reverse()) id = await store(fetched, id, { ...options, isFetched: true })
    return id
  }

  const find = async (uri: string, budget: Budget, quoteDepth = 0): Promise<string> =>
    uri === '' || (await acts.byUri(uri))?.kind === 'delete' ? '' : keepChain(uri, { budget, isFetched: true, quoteDepth })

  const keepWithAbove = async (fetched: Fetched, budget: Budget): Promise<string> => {
    const options = { budget, isFetched: true }
    const inReplyToId = fetched.object.inReplyTo ? await keepChain(fetched.object.inReplyTo, options) : ''
    return store(fetched, inReplyToId, options)
  }

  const keepFetched = async (document: unknown, url: string, budget: Budget): Promise<string> => {
    const fetched = await read(document, url, budget)
    return fetched ? keepWithAbove(fetched, budget) : ''
  }

  return {
    known,
    find: (uri, budget) => find(uri, budget),
    async keep(object, author, options) {
      const inReplyToId = object.inReplyTo ? await keepChain(object.inReplyTo, options) : ''
      return store({ object, author }, inReplyToId, options)
    },
    async refresh(uri, budget) {
      const fetched = await fetchDocument(uri, budget)
      if (fetched) await keepFetched(fetched.document, fetched.url, budget)
    },
    async open(uri, budget) {
      if ((await acts.byUri(uri))?.kind === 'delete') return undefined
      const document = await fetchDocument(uri, budget)
      const fetched = document && (await read(document.document, document.url, budget))
      return fetched && (await keepWithAbove(fetched, budget)) !== '' ? fetched.object : undefined
    },
    keepFetched,
  }
}
