import type { AccountBody, Attachment, Overlay, Poll, PreviewCard, StatusBody } from '@rookery/contracts/statuses'
import { type Addresses, profileOf } from '@rookery/entities'
import { type Html, html } from '@rookery/pages'
import type { QuotedStatus } from '../quoted-status.ts'
import { textWithEmojis, withEmojis } from './emojis.ts'
import { focusClasses } from './focus.rules.ts'
import { dayIn, type Frame, momentIn, numberIn, type PageContext } from './page.ts'
import { filesOfPerson, nameOf, personPart } from './person.ts'

/** A status with its author, viewer state, and quote. */
export type PageStatus = {
  status: StatusBody
  account: AccountBody
  overlay: Overlay
  quoted?: QuotedStatus | undefined
  boostedBy?: AccountBody | undefined
  /** Whether its author pinned it. */
  isPinned?: boolean
}

/** The size, so that the content below does not move while the file loads. */
const sizePart = (size: Attachment['original']) => size && html` width="${size.width}" height="${size.height}"`

const filePart = (attachment: Attachment, { picture }: Frame['texts']): Html | undefined => {
  const { type, url, previewUrl, description, focus, original, small } = attachment
  const classes = focusClasses(focus)
  if (type === 'image')
    return html`<a href="${url}"${!description && html` aria-label="${picture}"`}><img src="${previewUrl || url}" alt="${description}"${classes && html` class="${classes}"`}${sizePart((previewUrl && small) || original)} loading="lazy"></a>`
  if (type === 'audio') return html`<audio src="${url}" controls preload="none" title="${description}"></audio>`
  if (type === 'gifv')
    return html`<video src="${url}" poster="${previewUrl}"${sizePart(original)} controls autoplay muted loop playsinline preload="metadata" title="${description}"></video>`
  if (type === 'video')
    return html`<video src="${url}" poster="${previewUrl}"${sizePart(original)} controls playsinline preload="none" title="${description}"></video>`
  return undefined
}

/**
 * A grid for two to four images, as clients show them; of three, the first is as high as two. More, as other servers allow, would be too
 * small.
 */
const gridOf = (attachments: readonly Attachment[]): string => {
  const { length } = attachments
  if (length < 2 || length > 4 || attachments.some(({ type }) => type !== 'image')) return ''
  return length === 3 ? ' pictures odd' : ' pictures'
}

const filesPart = ({ attachments, sensitive, spoilerText }: StatusBody, { texts }: Frame): Html | undefined => {
  if (attachments.length === 0) return undefined
  const files = html`<div class="files${gridOf(attachments)}">${attachments.map((attachment) => filePart(attachment, texts))}</div>`
  return sensitive && !spoilerText ? html`<details><summary>${texts.sensitive}</summary>${files}</details>` : files
}

/** The options of a poll with their shares: of the voters, if several options may be chosen. */
const pollPart = ({ options, votesCount, votersCount, isMultiple, isExpired, expiresAtMilliseconds, emojis }: Poll, frame: Frame): Html => {
  const { poll, votes: counted } = frame.texts
  // Other servers may leave out the number of voters, or send inconsistent counts.
  const all = Math.max(1, isMultiple ? votersCount : votesCount, ...options.map(({ votesCount: votes = 0 }) => votes))
  const percent = new Intl.NumberFormat(frame.language, { style: 'percent' })
  const rows = options.map(({ title, votesCount: votes }) => {
    if (votes === undefined) return html`<li>${textWithEmojis(title, emojis)}</li>`
    const share = percent.format(votes / all)
    return html`<li><b>${share}</b>${textWithEmojis(title, emojis)}<meter value="${votes}" max="${all}">${share}</meter></li>`
  })
  const moment = expiresAtMilliseconds === undefined ? undefined : momentIn(frame, expiresAtMilliseconds)
  const notes = [
    counted(numberIn(frame, votesCount)),
    isMultiple && poll.several,
    moment && (isExpired ? poll.ended(moment) : poll.ends(moment)),
  ]
  return html`<ul class="poll">${rows}</ul><p class="small">${notes.filter(Boolean).join(' · ')}</p>`
}

export const cardPart = ({ url, title, description, providerName }: PreviewCard): Html =>
  html`<a class="card" href="${url}" rel="nofollow noopener"><strong>${title || url}</strong><span>${description}</span><span>${providerName}</span></a>`

/** Whether a URL is http(s): a card's data is no more trustworthy than its page. */
export const isWebAddress = (address: string): boolean => /^https?:\/\//.test(address)

/** The content of a status: its text, poll, files and card, behind its content warning. */
const bodyPart = (status: StatusBody, poll: Poll | undefined, frame: Frame): Html => {
  const { content, emojis, language, card, spoilerText } = status
  const said = html`<div class="said"${language && html` lang="${language}"`}>${withEmojis({ html: content }, emojis)}</div>
${poll && pollPart(poll, frame)}${filesPart(status, frame)}${card && isWebAddress(card.url) && cardPart(card)}`
  if (!spoilerText) return said
  return html`<details><summary>${textWithEmojis(spoilerText, emojis)}</summary>${said}</details>`
}

/** The quoted status, without its own quote, and a link to it. */
const quotedPart = ({ status, account, poll }: QuotedStatus, { frame, urls }: PageContext): Html => {
  const day = dayIn(frame, status.createdAtMilliseconds)
  return html`<blockquote class="quoted">${personPart(account, { urls, host: frame.host })}
${bodyPart(status, poll, frame)}<p class="when"><a href="${urls.status(account.username, status.id)}">${day}</a></p></blockquote>`
}

const boosterPart = (booster: AccountBody, { frame, urls }: PageContext): Html =>
  html`<p class="boosted"><a href="${profileOf(booster, urls)}">${textWithEmojis(frame.texts.boosted(nameOf(booster)), booster.emojis)}</a></p>`

/** A status, on its own page or in a list. */
export const statusPart = (said: PageStatus, given: PageContext & { isAlone?: boolean; isBelow?: boolean }): Html => {
  const { status, account, overlay, boostedBy, isPinned } = said
  const { frame, urls, isAlone, isBelow } = given
  const counts = frame.texts.counts({
    replies: numberIn(frame, overlay.repliesCount),
    reblogs: numberIn(frame, overlay.reblogsCount),
    favourites: numberIn(frame, overlay.favouritesCount),
  })
  const address = urls.status(account.username, status.id)
  const time = new Date(status.createdAtMilliseconds).toISOString()
  const moment = momentIn(frame, status.createdAtMilliseconds)
  const name = html` aria-label="${frame.texts.thread.postBy(nameOf(account))}"`
  // Below its ancestors, a post gets the focus, so that browsers scroll to it.
  const start = isBelow && html` tabindex="-1" autofocus`
  return html`<article${name}${isAlone && html` class="alone"`}${start}>
${isPinned && html`<p class="boosted">${frame.texts.pinned}</p>`}${boostedBy && boosterPart(boostedBy, given)}
${personPart(account, { urls, host: frame.host, bot: frame.texts.bot })}
${bodyPart(status, overlay.poll, frame)}${said.quoted && quotedPart(said.quoted, { frame, urls })}
<p class="when"><a href="${address}"><time datetime="${time}" title="${moment}">${isAlone ? moment : dayIn(frame, status.createdAtMilliseconds)}</time></a>${status.editedAtMilliseconds !== undefined && html` (${frame.texts.edited})`} · ${counts}</p>
</article>`
}

/** The images and recordings that a status shows. */
export const filesOfStatus = ({ status, account, overlay, quoted, boostedBy }: PageStatus, urls: Addresses): string[] => [
  ...filesOfPerson(account, urls),
  ...(quoted ? [...filesOfPerson(quoted.account, urls), ...quoted.status.emojis.map(({ url }) => url)] : []),
  ...[...status.emojis, ...(overlay.poll?.emojis ?? []), ...(quoted?.poll?.emojis ?? []), ...(boostedBy?.emojis ?? [])].map(
    ({ url }) => url,
  ),
  ...[status, ...(quoted ? [quoted.status] : [])].flatMap(({ attachments }) =>
    attachments.flatMap(({ url, previewUrl }) => [url, previewUrl].filter(Boolean)),
  ),
]
