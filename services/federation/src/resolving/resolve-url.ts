import type { Resolved } from '@rookery/contracts/federation'
import { notFound } from '@rookery/failures'
import {
  type Actors,
  DocumentError,
  type FetchDocument,
  type FetchedDocument,
  type ReadActorDocument,
  type Vocabulary,
} from '../contract.ts'
import { hostOf } from '../host.rules.ts'
import type { FindAlternate } from './find-alternate.ts'
import { urisOfPage } from './page.rules.ts'
import { countLookup, type LookupLimits } from './resolve-handle.ts'

type Deps = LookupLimits & {
  actors: Actors
  fetchDocument: FetchDocument
  findAlternate: FindAlternate
  readActor: ReadActorDocument
  resolveStatus: Vocabulary['resolveStatus']
  knownStatus: Vocabulary['knownStatus']
  config: { baseUrl: string }
}

const person = (accountId: string): Resolved => ({ accountId, statusId: '' })
const status = (statusId: string): Resolved => ({ accountId: '', statusId })

/** The stored status or account of a page that cannot be fetched: a private status, or one on an unreachable server. */
const knownAt = async ({ actors, knownStatus }: Deps, url: string): Promise<Resolved | undefined> => {
  const uris = urisOfPage(url)
  const statusId = await knownStatus(uris)
  if (statusId) return status(statusId)
  const actor = (await actors.knownByUris(uris)).find(({ accountId, goneAt }) => accountId && !goneAt)
  return actor && person(actor.accountId)
}

/** Fetches the document at a URL; if that fails, finds it in the store, or fetches the document that the page links. @throws DocumentError */
const fetchOrKnown = async (deps: Deps, url: string): Promise<FetchedDocument | { known: Resolved }> => {
  try {
    return await deps.fetchDocument(url)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const known = await knownAt(deps, url)
    if (known) return { known }
    const alternate = error.fault === 'invalid' ? await deps.findAlternate(url) : undefined
    if (!alternate) throw error
    return deps.fetchDocument(alternate)
  }
}

/** Stores the account or status in a document of another server, and returns its id. @throws Failure not_found */
const kept = async ({ actors, readActor, resolveStatus, config }: Deps, { document, url }: FetchedDocument): Promise<Resolved> => {
  const { id } = document
  if (typeof id !== 'string' || hostOf(id) === new URL(config.baseUrl).host) throw notFound('a document without an id')
  if (readActor(document)) {
    const actor = await actors.byUri(id, { isSought: true })
    if (!actor?.accountId) throw notFound('no such person')
    return person(actor.accountId)
  }
  const statusId = await resolveStatus(document, url)
  if (!statusId) throw notFound('no such status')
  return status(statusId)
}

/** Finds the account or status at a URL of another server. @throws Failure not_found, exhausted; DocumentError if it cannot be fetched */
export const resolveUrl =
  (deps: Deps) =>
  async ({ url, askerId, isImported }: { url: string; askerId: string; isImported: boolean }): Promise<Resolved> => {
    const host = hostOf(url)
    if (!host || host === new URL(deps.config.baseUrl).host) throw notFound('no address of another server')
    await countLookup(deps, { askerId, isImported })
    const found = await fetchOrKnown(deps, url)
    return 'known' in found ? found.known : kept(deps, found)
  }
