import { type Database, transact } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import { decodeText, FetchError, type GuardedFetch } from '@rookery/ssrf-safe-fetch'
import type { StatusesTables } from '../../database/schema.ts'
import { AccountReader, AccountWriter } from './account.store.ts'
import { fetchLink, VERIFY_LINK, type VerifyLink } from './fetch-link.ts'
import { fieldsAfter, linkedPage, linksBack } from './link.rules.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock; fetchGuarded: GuardedFetch; baseUrl: string }

const MINUTE = 60_000
/** Delays before a retry after a temporary failure, by the number of failures before, in milliseconds. */
const WAITS = [MINUTE, 10 * MINUTE]
const PAGES = ['text/html', 'application/xhtml+xml']
const TOO_MANY_REQUESTS = 429

/** Whether a page links back; undefined after no response or a server error. */
const ask = async ({ fetchGuarded, baseUrl }: Deps, url: string, username: string): Promise<boolean | undefined> => {
  try {
    const answer = await fetchGuarded({ url, accept: PAGES })
    if (answer.status >= 500 || answer.status === TOO_MANY_REQUESTS) return undefined
    if (answer.status !== 200) return false
    const addresses = [`${baseUrl}/@${username}`, `${baseUrl}/users/${username}`]
    return linksBack(decodeText(answer.body, answer.contentType), { pageUrl: answer.url, addresses })
  } catch (error) {
    if (error instanceof FetchError) return error.mayPass ? undefined : false
    throw error
  }
}

/**
 * Checks whether a page that a profile links to links back, and stores the time with the field (beyond-the-spec 1.1, `verified_at`). Nothing is
 * fetched within a transaction; concurrent changes of the profile are kept. A failed fetch changes nothing.
 */
export const verifyLinkJob = (deps: Deps): Job => {
  const { database, clock, baseUrl } = deps
  const again = async (asked: VerifyLink) => {
    const wait = WAITS[asked.failures]
    if (wait === undefined) return
    const runAt = new Date(clock.now() + wait)
    await transact(database.db, (tx) => fetchLink(tx, { ...asked, failures: asked.failures + 1 }, runAt))
  }

  const note = ({ accountId, url }: VerifyLink, isLinked: boolean) =>
    transact(database.db, async (tx) => {
      const writer = new AccountWriter(tx)
      const before = await writer.hold(accountId)
      const fields = before && fieldsAfter(before.fields, { url, linksBack: isLinked, now: clock.now(), baseUrl })
      if (fields) await writer.setFields(accountId, fields)
    })

  return job<VerifyLink>({
    name: VERIFY_LINK,
    lane: 'pages',
    async run(asked) {
      const profile = await new AccountReader(database.db).texts(asked.accountId)
      if (!profile?.fields.some(({ value }) => linkedPage(value, baseUrl) === asked.url)) return
      const isLinked = await ask(deps, asked.url, profile.username)
      await (isLinked === undefined ? again(asked) : note(asked, isLinked))
    },
  })
}
