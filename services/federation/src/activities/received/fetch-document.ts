import type { FetchedDocument } from '../../contract.ts'
import { localName } from '../../vocabulary/index.ts'
import type { Budget, ReceivedDeps } from './deps.ts'

/** Fetches a remote document within the budget; undefined if the fetch fails. */
export const fetchWithinBudget =
  (deps: Pick<ReceivedDeps, 'baseUrl' | 'fetchDocument' | 'log'>) =>
  async (uri: string, budget: Budget): Promise<FetchedDocument | undefined> => {
    if (budget.fetches <= 0 || budget.signal.aborted || localName(deps.baseUrl, uri)) return undefined
    budget.fetches--
    try {
      return await deps.fetchDocument(uri, { signal: budget.signal })
    } catch (error) {
      deps.log.debug({ err: error, uri }, 'no document of another server')
      return undefined
    }
  }
