import { decodeText, FetchError, type GuardedFetch } from '@rookery/ssrf-safe-fetch'
import type { MaySpeak } from '../policy/index.ts'
import { alternateOf } from './alternate.rules.ts'

type Deps = { fetch: GuardedFetch; maySpeak: MaySpeak; allowsPrivate: boolean }

/** Where the document is of what a page shows; undefined where there is no page, or it does not say. */
export type FindAlternate = (url: string) => Promise<string | undefined>

const TYPES = ['text/html', 'application/xhtml+xml']
const MILLISECONDS = 10_000

/** Reads the page at an address, within the bounds of documents. */
export const createFindAlternate = ({ fetch, maySpeak, allowsPrivate }: Deps): FindAlternate => {
  const mayAsk = async (url: URL) => (allowsPrivate || url.protocol === 'https:') && (await maySpeak(url.host))
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
