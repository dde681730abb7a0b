import { DocumentError, type FetchDocument } from '../contract.ts'
import { type StoredActor, writeGone } from './actor.store.ts'
import { fetchActor } from './fetch-actor.ts'
import { type KeepDeps, keepActor } from './keep-actor.ts'

type Deps = KeepDeps & { fetchDocument: FetchDocument }

/** Fetches a known actor again; undefined if that fails. An actor who is gone is marked as such. */
export const readAgain = async (deps: Deps, known: StoredActor, options: { hasAccount: boolean }): Promise<StoredActor | undefined> => {
  try {
    const document = await fetchActor(deps.fetchDocument, known.uri)
    return document?.['id'] === known.uri ? await keepActor(deps, document, options) : undefined
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    if (error.fault === 'gone') await writeGone(deps.database.db, known.uri, new Date(deps.clock.now()))
    return undefined
  }
}
