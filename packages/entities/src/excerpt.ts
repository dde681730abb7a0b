import { StatusBody, type StatusItem, type StatusPage } from '@rookery/contracts/statuses'
import { plainText } from '@rookery/markup'

/** The filters of the reader that match the status and count for notifications. */
const filtersOf = (item: StatusItem | undefined) =>
  [item?.overlay, item?.reblogOverlay]
    .flatMap((overlay) => overlay?.filtered?.results ?? [])
    .flatMap(({ filter }) => (filter?.contexts.includes('notifications') ? [filter] : []))

/** A text of at most so many characters, the last of them an ellipsis where it was longer. */
export const shortened = (text: string, maxLength: number): string => {
  const characters = [...text.trim()]
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : characters.join('')
}

/**
 * What is said of a status outside of apps, in alerts and mails, as plain text: the name of the filter that warns of it, else its content
 * warning, else its text. Undefined when the page's reader may not see it, or a filter hides it.
 */
export const excerptOf = (page: StatusPage, statusId: string): string | undefined => {
  const item = page.items.find(({ id }) => id === statusId)
  const view = page.statuses.find(({ id }) => id === (item?.reblogOfId || statusId))
  const filters = filtersOf(item)
  if (!view || filters.some(({ action }) => action === 'hide')) return undefined
  const { spoilerText, content } = StatusBody.decode(view.body)
  return filters[0]?.title ?? (spoilerText || plainText(content))
}
