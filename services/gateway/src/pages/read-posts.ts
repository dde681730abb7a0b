import { AccountBody, type StatusItem, type StatusPage } from '@rookery/contracts/statuses'
import { quotedStatus } from '../quoted-status.ts'
import { statusBodyOf } from '../status-body.ts'
import type { PageStatus } from './status.ts'

/** The post of an item; for a boost the boosted one. Undefined if a part of it is missing. */
const saidOf = (page: StatusPage, item: StatusItem): PageStatus | undefined => {
  const { statuses, accounts } = page
  const accountOf = (id: string | undefined) => accounts.find((view) => view.id === id)
  const shownId = item.reblogOfId || item.id
  const view = statuses.find(({ id }) => id === shownId)
  const wrapper = item.reblogOfId ? statuses.find(({ id }) => id === item.id) : undefined
  const author = accountOf(view?.accountId)
  const booster = accountOf(wrapper?.accountId)
  const overlay = item.reblogOfId ? item.reblogOverlay : item.overlay
  if (!view || !author || !overlay) return undefined
  const [status, account] = [statusBodyOf(view, author), AccountBody.decode(author.body)]
  return { status, account, overlay, quoted: quotedStatus(page, overlay), boostedBy: booster && AccountBody.decode(booster.body) }
}

/** The posts of a page with these ids, in their order. */
export const postsWithIds = (page: StatusPage, ids: readonly string[]): PageStatus[] => {
  const items = new Map(page.items.map((item) => [item.id, item]))
  return ids.flatMap((id) => {
    const item = items.get(id)
    return item ? (saidOf(page, item) ?? []) : []
  })
}

/** The posts of a page, in order. */
export const postsOf = (page: StatusPage): PageStatus[] => page.items.flatMap((item) => saidOf(page, item) ?? [])
