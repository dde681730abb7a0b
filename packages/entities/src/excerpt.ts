import { StatusBody, type StatusItem, type StatusPage } from '@rookery/contracts/statuses'
import { plainText } from '@rookery/markup'

/** The viewer's filters for notifications that match the status. */
const filtersOf = (item: StatusItem | undefined) =>
  [item?.overlay, item?.reblogOverlay]
    .flatMap((overlay) => overlay?.filtered?.results ?? [])
    .flatMap(({ filter }) => (filter?.contexts.includes('notifications') ? [filter] : []))

/** Truncates a text to a number of characters, the last of them an ellipsis. */
export const shortened = (text: string, maxLength: number): string => {
  const characters = [...text.trim()]
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : characters.join('')
}

/**
 * The excerpt of a status for alerts and mails, as plain text: the name of the filter that warns of it, else its content warning, else its
 * text. Undefined if the viewer may not see it, or a filter hides it.
 */
export const excerptOf = (page: StatusPage, statusId: string): string | undefined => {
  const item = page.items.find(({ id }) => id === statusId)
  const view = page.statuses.find(({ id }) => id === (item?.reblogOfId || statusId))
  const filters = filtersOf(item)
  if (!view || filters.some(({ action }) => action === 'hide')) return undefined
  const { spoilerText, content } = StatusBody.decode(view.body)
  return filters[0]?.title ?? (spoilerText || plainText(content))
}
