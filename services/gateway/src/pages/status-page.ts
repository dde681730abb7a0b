import { Visibility } from '@rookery/contracts/statuses'
import { plainText } from '@rookery/markup'
import { type Html, html } from '@rookery/pages'
import { describingHead, excerpt } from './head.ts'
import type { Page, PageContext } from './page.ts'
import { avatarOf, mayBeIndexed, nameOf } from './person.ts'
import { filesOfStatus, type PageStatus, statusPart } from './status.ts'

/** The ancestors of a post, from the root, and its replies, each after the post it replies to. */
export type Thread = { ancestors: readonly PageStatus[]; descendants: readonly PageStatus[] }

/** Maximum indentation of replies. */
const MAX_DEPTH = 4

const repliesPart = (said: PageStatus, descendants: readonly PageStatus[], given: PageContext): Html | undefined => {
  if (descendants.length === 0) return undefined
  const depths = new Map([[said.status.id, 0]])
  const replies = descendants.map((reply) => {
    const depth = Math.min(MAX_DEPTH, (depths.get(reply.status.inReplyToId ?? '') ?? 0) + 1)
    depths.set(reply.status.id, depth)
    return html`<div class="depth-${depth}">${statusPart(reply, given)}</div>`
  })
  return html`<section class="replies"><h2>${given.frame.texts.thread.replies}</h2>
${replies}</section>`
}

/** Whether search engines may index the page: a public post, and all authors on the page allow it. */
const isIndexed = (said: PageStatus, { ancestors, descendants }: Thread): boolean =>
  said.status.visibility === Visibility.PUBLIC && [said, ...ancestors, ...descendants].every(({ account }) => mayBeIndexed(account))

const headOf = ({ status, account }: PageStatus, { frame, urls }: PageContext): Html => {
  const address = urls.status(account.username, status.id)
  const file = status.sensitive ? undefined : status.attachments.find(({ type, previewUrl }) => type === 'image' || previewUrl)
  const picture = file?.previewUrl || (file?.type === 'image' ? file.url : undefined)
  return describingHead({
    kind: 'article',
    title: `${nameOf(account)} (@${account.username}@${frame.host})`,
    description: excerpt(status.spoilerText || plainText(status.content)),
    url: address,
    image: picture || avatarOf(account, urls),
    isPictured: picture !== undefined,
    host: frame.host,
    writtenAt: status.createdAtMilliseconds,
    activity: urls.statusUri(account.username, status.id),
    oembed: `${frame.baseUrl}/api/oembed?url=${encodeURIComponent(address)}`,
  })
}

/** The page of a status within its thread. With a content warning, only the warning is in the description. */
export const statusPage = ({ said, thread }: { said: PageStatus; thread: Thread }, given: PageContext): Page => {
  const { status, account } = said
  const { texts } = given.frame
  const text = status.spoilerText || plainText(status.content)
  const name = nameOf(account)
  const { ancestors, descendants } = thread
  return {
    status: 200,
    title: text ? `${name}: ${excerpt(text, 80)}` : name,
    heading: '',
    body: html`<h1 class="unseen">${texts.thread.postBy(name)}</h1>
${ancestors.map((ancestor) => statusPart(ancestor, given))}
${statusPart(said, { ...given, isAlone: true, isBelow: ancestors.length > 0 })}
${repliesPart(said, descendants, given)}`,
    head: headOf(said, given),
    files: [said, ...ancestors, ...descendants].flatMap((each) => filesOfStatus(each, given.urls)),
    isIndexed: isIndexed(said, thread),
  }
}
