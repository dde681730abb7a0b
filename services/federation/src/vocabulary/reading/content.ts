import { escapeHtml, plainText } from '@rookery/markup'
import { isSameHost } from '../../host.rules.ts'
import { attachmentOf } from './attachments.ts'
import { countOf, itemsOf, type JsonObject, linkOf, mappedText, objectsOf, textOf, timeOf, typesOf, uriOf } from './json.ts'

/** Maximum length of a remote text, in UTF-16 units. */
const MAX_CONTENT = 100_000
const MAX_TITLE = 500

const paragraph = (text: string): string => `<p>${escapeHtml(text).replace(/\r?\n/g, '<br>')}</p>`
const linkTo = (url: string): string => `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`

/** Whether a text is not HTML: Markdown and plain text are shown as entered. */
const isTyped = (mediaType: string): boolean => mediaType === 'text/markdown' || mediaType === 'text/plain'

const htmlOf = (object: JsonObject): string => {
  const content = mappedText(object, 'content', MAX_CONTENT)
  return content && isTyped(textOf(object['mediaType'], 64).toLowerCase())
    ? content
        .trim()
        .split(/(?:\r?\n){2,}/)
        .map(paragraph)
        .join('')
    : content
}

/** The links of a page: attached ones (Lemmy), except those shown as files, and a URL on another host (Friendica, lotide). */
const linksOf = (object: JsonObject, type: string): string[] => {
  const attached = objectsOf(object['attachment'], 16).flatMap((item) => {
    const url = typesOf(item).includes('Link') ? linkOf(item) : undefined
    return url && !attachmentOf(item) ? [url] : []
  })
  const [address] = type === 'Page' ? itemsOf(object['url'], 1).flatMap((item) => linkOf(item) ?? []) : []
  const isElsewhere = address !== undefined && !isSameHost(address, uriOf(object) ?? '')
  return [...new Set(isElsewhere ? [...attached, address] : attached)]
}

/** The time and place of an event. */
const occasionOf = (object: JsonObject): string => {
  const start = timeOf(object['startTime'])
  const location = objectsOf(object['location'], 1)[0]
  const when = start === undefined ? '' : `${new Date(start).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const where = location ? mappedText(location, 'name', MAX_TITLE) || linkOf(location) : ''
  const text = [when, where].filter(Boolean).join('\n')
  return text ? paragraph(text) : ''
}

/** The title of a note (Friendica and Hubzilla have such), unless its text begins with it. */
const titleOfNote = (title: string, content: string): string => {
  if (
    title === '' ||
    plainText(content.slice(0, 4 * MAX_TITLE))
      .trim()
      .startsWith(title.trim())
  )
    return ''
  return content === '' ? paragraph(title) : `<p><strong>${escapeHtml(title)}</strong></p>`
}

/** The quoted passage of a Quotation from a book (BookWyrm). */
const passageOf = (object: JsonObject): string => {
  const passage = textOf(object['quote'], MAX_CONTENT)
  return passage && !passage.trimStart().startsWith('<') ? paragraph(passage) : passage
}

/** The rating of a review in stars, of five (BookWyrm). */
const starsOf = (object: JsonObject): string => {
  const stars = countOf(typeof object['rating'] === 'number' ? Math.round(object['rating']) : undefined, 5)
  return stars ? paragraph('★'.repeat(stars) + '☆'.repeat(5 - stars)) : ''
}

/**
 * The content of an object as HTML. Statuses have no titles, so objects other than notes and questions begin with their title and end with a link
 * to their page.
 */
export const contentOf = (object: JsonObject, { type, isPlain, url }: { type: string; isPlain: boolean; url: string }): string => {
  const content = htmlOf(object)
  const title = mappedText(object, 'name', MAX_TITLE)
  if (type === 'Quotation') return `${passageOf(object)}${content}`
  if (isPlain) return `${titleOfNote(title, content)}${content}`
  const summary = type === 'Article' && content ? '' : htmlSummary(object, content)
  const parts = [
    title ? `<p><strong>${escapeHtml(title)}</strong></p>` : '',
    type === 'Event' ? occasionOf(object) : '',
    type === 'Review' ? starsOf(object) : '',
    content || summary,
    ...linksOf(object, type).map(linkTo),
    url ? linkTo(url) : '',
  ]
  return parts.join('')
}

const htmlSummary = (object: JsonObject, content: string): string => {
  const summary = content ? '' : mappedText(object, 'summary', MAX_CONTENT)
  return summary && !summary.trimStart().startsWith('<') ? paragraph(summary) : summary
}
