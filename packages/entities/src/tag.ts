import type { TagView } from '@rookery/contracts/statuses'
import type { Addresses } from './addresses.ts'

/** Tag (spec, Resources; beyond-the-spec 1.1): history newest day first, its numbers as text; what the viewer makes of it. */
export const tagEntity = ({ id, name, display, history, following, featuring }: TagView, urls: Addresses) => ({
  id,
  name: display,
  url: urls.tag(name),
  history: history.map(({ daySeconds, uses, accounts }) => ({
    day: String(daySeconds),
    uses: String(uses),
    accounts: String(accounts),
  })),
  ...(following === undefined ? {} : { following }),
  ...(featuring === undefined ? {} : { featuring }),
})
