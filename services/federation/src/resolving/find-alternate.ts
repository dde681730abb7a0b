import { decodeText, FetchError, type GuardedFetch } from '@rookery/ssrf-safe-fetch'
import { type MaySpeak, mayFetch } from '../policy/index.ts'
import { alternateOf } from './alternate.rules.ts'

type Deps = { fetch: GuardedFetch; maySpeak: MaySpeak; isHttpsOnly: boolean }

/** Finds the URL of the ActivityPub document that a page links; undefined without a page or a link. */
export type FindAlternate = (url: string) => Promise<string | undefined>

const TYPES = ['text/html', 'application/xhtml+xml']
const MILLISECONDS = 10_000

/** Fetches the page at a URL, under the same restrictions as documents. */
export const createFindAlternate = ({ fetch, ...deps }: Deps): FindAlternate => {
  const mayAsk = mayFetch(deps)
  return async (url) => {
    try {
      const { status, body, contentType, headers, url: at } = await fetch({ url, accept: TYPES, milliseconds: MILLISECONDS, mayAsk })
      if (status < 200 || status >= 300) return undefined
      return alternateOf({ url: at, html: decodeText(body, contentType), link: [headers['link'] ?? []].flat().join(', ') })
    } catch (error) {
      if (error instanceof FetchError) return undefined
      throw error
    }
  }
}
