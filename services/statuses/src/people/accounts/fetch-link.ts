import { createHash } from 'node:crypto'
import type { Tx } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredField } from '../../database/tables/account.ts'
import { linkedPage } from './link.rules.ts'

/** The name of the job that checks whether a page links back to a profile. */
export const VERIFY_LINK = 'verify-link'

/** The account, the page, and the failed attempts so far. */
export type VerifyLink = { accountId: string; url: string; failures: number }

/** Attempts of a job that fails by an error of ours; failures of remote servers are counted in the payload. */
const MAX_TRIES = 3

/** Maximum concurrent fetches. All pages of a host share a queue, so that a slow host delays mostly itself. */
const QUEUES = 2

const digestOf = (text: string) => createHash('sha256').update(text).digest()

/** Adds the job that fetches a page: at most one pending job per profile and page. */
export const fetchLink = (tx: Tx<StatusesTables>, asked: VerifyLink, runAt?: Date): Promise<void> =>
  addJob(tx, 'statuses', VERIFY_LINK, asked, {
    key: `link:${asked.accountId}:${digestOf(asked.url).toString('hex')}`,
    queue: `links-${digestOf(new URL(asked.url).host).readUInt8() % QUEUES}`,
    attempts: MAX_TRIES,
    ...(runAt ? { runAt } : {}),
  })

type Profile = { accountId: string; fields: readonly StoredField[]; baseUrl: string }

/** Adds a job for each page that a profile's fields link to. */
export const fetchLinks = async (tx: Tx<StatusesTables>, { accountId, fields, baseUrl }: Profile): Promise<void> => {
  const urls = new Set(fields.flatMap(({ value }) => linkedPage(value, baseUrl) ?? []))
  for (const url of urls) await fetchLink(tx, { accountId, url, failures: 0 })
}
