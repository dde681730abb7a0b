import type { TagDay, TagView } from '@rookery/contracts/statuses'
import type { Addresses } from './addresses.ts'

/** A history, newest day first; its numbers are strings (spec, Tag). */
export const historyEntity = (history: readonly TagDay[]) =>
  history.map(({ daySeconds, uses, accounts }) => ({ day: String(daySeconds), uses: String(uses), accounts: String(accounts) }))

/** Tag (spec, Resources; beyond-the-spec 1.1), with its history and the viewer's relation to it. */
export const tagEntity = ({ id, name, display, history, following, featuring }: TagView, urls: Addresses) => ({
  id,
  name: display,
  url: urls.tag(name),
  history: historyEntity(history),
  ...(following === undefined ? {} : { following }),
  ...(featuring === undefined ? {} : { featuring }),
})
