import { DirectoryOrder } from '@rookery/contracts/statuses'
import { directoryPage } from './directory-page.ts'
import { peopleOf } from './people.ts'
import type { Read } from './read.ts'

const MAX_PEOPLE = 40
/** Maximum offset; for more, people can search. */
const MAX_SKIPPED = 10_000

/** The offset in the query; 0 if it is invalid. */
const skippedIn = (query: URLSearchParams): number => {
  const typed = query.get('offset') ?? ''
  return /^\d{1,9}$/.test(typed) ? Math.min(Number(typed), MAX_SKIPPED) : 0
}

/** Reads the profile directory: by latest post, or by latest sign-up. */
export const readDirectory: Read = async (_address, { call, frame, clients, query }) => {
  const { directory, render } = clients
  const isNewest = query.get('order') === 'new'
  const offset = skippedIn(query)
  const order = isNewest ? DirectoryOrder.NEW : DirectoryOrder.ACTIVE
  const people = peopleOf(await directory.read(call, { viewerId: '', order, limit: MAX_PEOPLE, offset }))
  const at = (skipped: number) => `/directory?${isNewest ? 'order=new&' : ''}offset=${skipped}`
  const hasMore = people.length === MAX_PEOPLE && offset < MAX_SKIPPED
  const pager = { older: hasMore ? at(offset + MAX_PEOPLE) : undefined, latest: offset > 0 ? at(0) : undefined }
  return directoryPage({ people, pager }, { frame, urls: render.urls, isNewest })
}
