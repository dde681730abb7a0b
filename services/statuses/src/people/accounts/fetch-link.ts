import { createHash } from 'node:crypto'
import type { Tx } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredField } from '../../database/tables/account.ts'
import { linkedPage } from './link.rules.ts'

/** The job that asks a page whether it links back to a profile. */
export const VERIFY_LINK = 'verify-link'

/** Whose profile, which page, and how often it could not be asked so far. */
export type VerifyLink = { accountId: string; url: string; failures: number }

/** Tries of a job that fails by an error of ours; what others fail at is counted by itself. */
const MAX_TRIES = 3

/** Pages that are asked at once, at most; those of one host never are, so that a slow one holds up itself before others. */
const QUEUES = 2

const digestOf = (text: string) => createHash('sha256').update(text).digest()

/** Adds the job that fetches a page: at most one waiting job a profile and page. */
export const fetchLink = (tx: Tx<StatusesTables>, asked: VerifyLink, runAt?: Date): Promise<void> =>
  addJob(tx, 'statuses', VERIFY_LINK, asked, {
    key: `link:${asked.accountId}:${digestOf(asked.url).toString('hex')}`,
    queue: `links-${digestOf(new URL(asked.url).host).readUInt8() % QUEUES}`,
    attempts: MAX_TRIES,
    ...(runAt ? { runAt } : {}),
  })

type Profile = { accountId: string; fields: readonly StoredField[]; baseUrl: string }

/** Adds a job for each page that the fields of a profile link to. */
export const fetchLinks = async (tx: Tx<StatusesTables>, { accountId, fields, baseUrl }: Profile): Promise<void> => {
  const urls = new Set(fields.flatMap(({ value }) => linkedPage(value, baseUrl) ?? []))
  for (const url of urls) await fetchLink(tx, { accountId, url, failures: 0 })
}
