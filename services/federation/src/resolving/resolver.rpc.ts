import { ResolverDefinition } from '@rookery/contracts/federation'
import type { RemoteAccountsDefinition } from '@rookery/contracts/statuses'
import { Failure, notFound } from '@rookery/failures'
import type { RateLimiter } from '@rookery/http/limits'
import { type Client, type Handler, handler } from '@rookery/rpc'
import { type Actors, DocumentError, type FetchDocument, type ReadActorDocument, type Vocabulary } from '../contract.ts'
import { hostOf } from '../host.rules.ts'
import { urisOfPage } from './page.rules.ts'
import { handleOf } from './webfinger.rules.ts'
import type { WebFinger } from './webfinger.ts'

type Deps = {
  actors: Actors
  fetchDocument: FetchDocument
  readActor: ReadActorDocument
  resolveStatus: Vocabulary['resolveStatus']
  knownStatus: Vocabulary['knownStatus']
  openThread: Vocabulary['openThread']
  webFinger: WebFinger
  remoteAccounts: Client<RemoteAccountsDefinition>
  limits: RateLimiter
  config: { baseUrl: string; allowsPrivate: boolean }
}

/** What cannot be had from another server is missing to who asks. */
const orMissing = (error: unknown): never => {
  if (error instanceof DocumentError) throw notFound(error.message)
  throw error
}

/** The calls of federation.v1.Resolver. Only people of this server have others asked, and each of them so often. */
export const resolverHandler = (deps: Deps): Handler => {
  const { actors, limits, config } = deps
  const ownHost = new URL(config.baseUrl).host

  /** @throws Failure not_found without an asker, exhausted beyond the limit */
  const count = async (askerId: string): Promise<void> => {
    if (!askerId) throw notFound('only people of this server have others asked')
    const status = await limits.count([{ limit: 'lookups', by: askerId }])
    if (status?.isExceeded) throw new Failure('exhausted', 'Too many requests')
  }

  const resolveHandle = async (text: string, askerId: string) => {
    const handle = handleOf(text, config)
    if (!handle || handle.domain === ownHost) throw notFound('no handle of another server')
    await count(askerId)
    const confirmed = await deps.webFinger(handle)
    const actor = confirmed && (await actors.byUri(confirmed.actorUri, { isSought: true }))
    if (!actor?.accountId) throw notFound('no such person')
    return { accountId: actor.accountId, statusId: '' }
  }

  /** What is known of what its server does not show: statuses for followers, and what is on a server that does not answer. */
  const knownAt = async (url: string) => {
    const uris = urisOfPage(url)
    const statusId = await deps.knownStatus(uris)
    if (statusId) return { accountId: '', statusId }
    const actor = (await actors.knownByUris(uris)).find(({ accountId, goneAt }) => accountId && !goneAt)
    return actor && { accountId: actor.accountId, statusId: '' }
  }

  const fetchOrKnown = async (url: string) => {
    try {
      return await deps.fetchDocument(url)
    } catch (error) {
      const known = error instanceof DocumentError ? await knownAt(url) : undefined
      if (!known) throw error
      return { known }
    }
  }

  const resolveUrl = async (url: string, askerId: string) => {
    const host = hostOf(url)
    if (!host || host === ownHost) throw notFound('no address of another server')
    await count(askerId)
    const found = await fetchOrKnown(url)
    if ('known' in found) return found.known
    const { id } = found.document
    if (typeof id !== 'string' || hostOf(id) === ownHost) throw notFound('a document without an id')
    if (deps.readActor(found.document)) {
      const actor = await actors.byUri(id, { isSought: true })
      if (!actor?.accountId) throw notFound('no such person')
      return { accountId: actor.accountId, statusId: '' }
    }
    const statusId = await deps.resolveStatus(found.document, found.url)
    if (!statusId) throw notFound('no such status')
    return { accountId: '', statusId }
  }

  const refreshThread = async (uri: string, askerId: string): Promise<void> => {
    const host = hostOf(uri)
    if (!askerId || !host || host === ownHost) return
    const status = await limits.count([{ limit: 'threads', by: askerId }])
    if (!status?.isExceeded) await deps.openThread(uri)
  }

  return handler(ResolverDefinition, {
    refreshThread: async (_call, { statusUri, askerId }) => {
      await refreshThread(statusUri, askerId)
      return {}
    },
    resolveHandle: (_call, { handle, askerId }) => resolveHandle(handle, askerId).catch(orMissing),
    resolveUrl: (_call, { url, askerId }) => resolveUrl(url, askerId).catch(orMissing),
  })
}
