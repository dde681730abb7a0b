import type { AccountsDefinition, PortabilityDefinition, StatusPage, TimelinesDefinition } from '@rookery/contracts/statuses'
import { csvLine } from '@rookery/csv'
import type { Renderer } from '@rookery/entities'
import type { Client } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import type { CsvFile } from './csv-files.ts'

export type PartsDeps = {
  statuses: {
    accounts: Client<AccountsDefinition>
    dataExport: Client<PortabilityDefinition>
    timelines: Client<TimelinesDefinition>
  }
  render: Renderer
}

const SECONDS = 20
const STATUSES_AT_ONCE = 40

/** Streams the lines of a CSV file, one page at a time. */
export async function* readCsv({ statuses }: PartsDeps, accountId: string, { kind, columns }: CsvFile): AsyncGenerator<string> {
  if (columns.length > 0) yield csvLine(columns)
  for (let afterId = ''; ; ) {
    const { rows, lastId } = await statuses.dataExport.readRows(callWithin(SECONDS), { accountId, kind, afterId })
    yield rows.map(({ cells }) => csvLine(cells)).join('')
    if (!lastId) return
    afterId = lastId
  }
}

/** Pages of all statuses of an account, newest first. */
async function* readPages({ statuses }: PartsDeps, accountId: string, onlyMedia: boolean): AsyncGenerator<StatusPage> {
  const wanted = { viewerId: accountId, accountId, onlyMedia, excludeReplies: false, excludeReblogs: false, pinned: false, tagged: '' }
  for (let maxId: string | undefined; ; ) {
    const page = await statuses.timelines.readAccount(callWithin(SECONDS), { ...wanted, page: { maxId, limit: STATUSES_AT_ONCE } })
    yield page
    if (!page.cursors?.isFull) return
    maxId = page.cursors.last
  }
}

/** All statuses of an account as a JSON array of API entities, one per line. */
export async function* readStatuses(deps: PartsDeps, accountId: string): AsyncGenerator<string> {
  let before = '[\n'
  for await (const page of readPages(deps, accountId, false)) {
    for (const item of page.items) {
      const json = deps.render.status(page, item)
      if (!json) continue
      yield before + json
      before = ',\n'
    }
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

type Attached = { uri: string; media_attachments: { id: string; type: string; url: string; description: string | null }[] }

/** The attachments of an account's statuses as CSV: status, type, URL and description. */
export async function* readMedia(deps: PartsDeps, accountId: string): AsyncGenerator<string> {
  yield csvLine(['Post', 'Type', 'Address', 'Description'])
  for await (const page of readPages(deps, accountId, true)) {
    for (const item of page.items) {
      const json = deps.render.status(page, item)
      if (!json) continue
      const { uri, media_attachments } = JSON.parse(String(json)) as Attached
      yield media_attachments.map(({ type, url, description }) => csvLine([uri, type, url, description ?? ''])).join('')
    }
  }
}

/** The profile as an API entity. */
export async function* readProfile({ statuses, render }: PartsDeps, accountId: string): AsyncGenerator<Buffer> {
  yield render.account(await statuses.accounts.read(callWithin(SECONDS), { id: accountId, viewerId: accountId }))
}
