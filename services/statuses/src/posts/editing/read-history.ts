import { StatusBody, type StatusHistory, type StatusSource } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import { emojiMessage } from '../../content/emojis/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { presentAttachment, type Views } from '../../views/index.ts'
import { readRevisions, readSourceRow } from './edit.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views }
type Request = { id: string; viewerId: string }

/** The revisions of a status, oldest first; one entry if it was never edited (beyond-the-spec 1.10, History). @throws Failure not_found */
export const readHistory =
  ({ database, views }: Deps) =>
  async ({ id, viewerId }: Request): Promise<StatusHistory> => {
    const page = await views.byIds(viewerId, [id], 'direct')
    const status = orNotFound(page.statuses.find((view) => view.id === id))
    const account = page.accounts.find((view) => view.id === status.accountId)
    const rows = await readRevisions(database, { id })
    if (rows.length === 0) {
      const body = StatusBody.decode(status.body)
      const pollOptions = page.items[0]?.overlay?.poll?.options.map(({ title }) => title) ?? []
      const createdAtMilliseconds = body.editedAtMilliseconds ?? body.createdAtMilliseconds
      return { revisions: [{ ...body, createdAtMilliseconds, pollOptions }], account }
    }
    const revisions = rows.map(({ createdAt, ...row }) => ({
      ...row,
      createdAtMilliseconds: createdAt.getTime(),
      attachments: row.attachments.map(presentAttachment),
      emojis: row.emojis.map(emojiMessage),
    }))
    return { revisions, account }
  }

/** The source text of a status that the viewer may see (beyond-the-spec 1.10, Source). @throws Failure not_found */
export const readSource =
  ({ database, views }: Deps) =>
  async ({ id, viewerId }: Request): Promise<StatusSource> => {
    const page = await views.byIds(viewerId, [id], 'direct')
    orNotFound(page.items[0])
    return orNotFound((await readSourceRow(database, { id }))[0])
  }
