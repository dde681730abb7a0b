import { consumer } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { markUses } from '../uses/index.ts'
import { CardWriter } from './card.store.ts'
import { fetchPage } from './fetch-page.ts'
import { linkOf } from './link.rules.ts'

/**
 * Attaches the page of its link to each new status, and has the page fetched if it is due. A status edited before is skipped: the edit has attached
 * its page.
 */
export const showLinks = ({ clock, config }: { clock: Clock; config: { hasCards: boolean } }) =>
  consumer<StatusesTables, 'statusPublished'>({
    name: 'statuses.cards',
    topic: 'statuses.v1',
    kinds: ['statusPublished'],
    isUnhurried: true,
    concerns: ({ value }) => config.hasCards && value.link !== undefined,
    async handle(tx, received) {
      const shown = received.flatMap(({ event }) => {
        const link = linkOf(event.value.link ?? '')
        return link ? [{ statusId: event.value.statusId, authorId: event.value.authorId, link }] : []
      })
      const links = shown.map(({ link }) => link)
      const now = new Date(clock.now())
      const writer = new CardWriter(tx)
      await writer.hold(links, now)
      const unedited = await writer.holdUnedited(shown.map(({ statusId }) => statusId))
      const showing = shown.filter(({ statusId }) => unedited.has(statusId))
      await writer.show(showing)
      await markUses(tx, showing)
      for (const page of await writer.due(links, now)) await fetchPage(tx, page)
    },
  })
