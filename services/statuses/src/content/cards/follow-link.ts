import type { Tx } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { CardWriter } from './card.store.ts'
import { fetchPage } from './fetch-page.ts'
import { linkOf, linkShown } from './link.rules.ts'

type Deps = { clock: Clock; baseUrl: string; hasCards: boolean }

/** The fields of an edited status that decide which page it shows. */
type Edited = { text: string; attachments: readonly unknown[] }

/** Locks the page of an edited status's link; the returned function attaches that page to the status, and no other. */
export type LinkFollower = (tx: Tx<StatusesTables>, edited: Edited) => Promise<(statusId: string) => Promise<void>>

/** Updates the card of a status to its text. Two steps, because a page is locked before any status. */
export const linkFollower =
  ({ clock, baseUrl, hasCards }: Deps): LinkFollower =>
  async (tx, edited) => {
    const shown = hasCards ? linkShown(edited, baseUrl) : undefined
    const link = shown === undefined ? undefined : linkOf(shown)
    const now = new Date(clock.now())
    const writer = new CardWriter(tx)
    if (link) await writer.hold([link], now)
    return async (statusId) => {
      await writer.hide(statusId)
      if (!link) return
      await writer.show([{ statusId, link }])
      for (const page of await writer.due([link], now)) await fetchPage(tx, page)
    }
  }
