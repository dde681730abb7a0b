import { decodeText, FetchError, type Fetched, type GuardedFetch } from '@rookery/ssrf-safe-fetch'
import { type CardDraft, cardOf } from './card.rules.ts'
import { type Oembed, readOembed } from './oembed.rules.ts'
import { readPage } from './page.rules.ts'

const PAGES = ['text/html', 'application/xhtml+xml']
const OEMBEDS = ['application/json', 'application/json+oembed', 'text/json+oembed', 'text/json', 'text/javascript', 'text/plain']
/** Maximum bytes of an oEmbed response. */
const OEMBED_BYTES = 64 * 1024

const TOO_MANY_REQUESTS = 429

const textOf = ({ body, contentType }: Fetched) => decodeText(body, contentType)

/** The URL of a page's oEmbed; undefined if it has none or an invalid one. */
const oembedUrl = (href: string | undefined, pageUrl: string): string | undefined => (href && URL.parse(href, pageUrl)?.href) || undefined

/**
 * Fetches a page and its oEmbed, and makes a card of them; undefined if there is nothing to show.
 * @throws FetchError for a temporary failure: no response, or a server error
 */
export const cardFinder = ({ fetchGuarded, baseUrl }: { fetchGuarded: GuardedFetch; baseUrl: string }) => {
  const ownHost = new URL(baseUrl).host

  /** Fetches the oEmbed. Failures are ignored: the page's own metadata is enough. */
  const askOembed = async (url: string): Promise<Oembed | undefined> => {
    const answer = await fetchGuarded({ url, accept: OEMBEDS, maxBytes: OEMBED_BYTES }).catch((error: unknown) => {
      if (error instanceof FetchError) return undefined
      throw error
    })
    return answer?.status === 200 ? readOembed(textOf(answer)) : undefined
  }

  const fetchPage = async (url: string): Promise<Fetched | undefined> => {
    try {
      return await fetchGuarded({ url, accept: PAGES })
    } catch (error) {
      if (error instanceof FetchError && !error.mayPass) return undefined
      throw error
    }
  }

  return async (url: string): Promise<CardDraft | undefined> => {
    const answer = await fetchPage(url)
    if (!answer) return undefined
    if (answer.status >= 500 || answer.status === TOO_MANY_REQUESTS) throw new FetchError('unreachable', `status ${answer.status}`)
    if (answer.status !== 200) return undefined
    const page = readPage(textOf(answer))
    const where = oembedUrl(page.oembed, answer.url)
    return cardOf({ page, pageUrl: answer.url, oembed: where ? await askOembed(where) : undefined, ownHost })
  }
}
