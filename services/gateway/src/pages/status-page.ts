import { Visibility } from '@rookery/contracts/statuses'
import type { Addresses } from '@rookery/entities'
import { plainText } from '@rookery/markup'
import { describingHead, excerpt } from './head.ts'
import type { Frame, Page } from './page.ts'
import { avatarOf, nameOf } from './person.ts'
import { filesOfStatus, type Said, statusPart } from './status.ts'

/** The page of one status. Behind a warning only the warning is described. */
export const statusPage = (said: Said, { frame, urls }: { frame: Frame; urls: Addresses }): Page => {
  const { status, account } = said
  const text = status.spoilerText || plainText(status.content)
  const name = nameOf(account)
  const address = urls.status(account.username, status.id)
  const picture = status.sensitive ? undefined : status.attachments.find(({ type, previewUrl }) => type === 'image' || previewUrl)
  const title = text ? `${name}: ${excerpt(text).slice(0, 80)}` : name
  const head = describingHead({
    kind: 'article',
    title: `${name} (@${account.username}@${frame.host})`,
    description: excerpt(text),
    url: address,
    image: picture?.previewUrl || (picture?.type === 'image' && picture.url) || avatarOf(account, urls),
    host: frame.host,
    oembed: `${frame.baseUrl}/api/oembed?url=${encodeURIComponent(address)}`,
  })
  return {
    status: 200,
    title,
    heading: '',
    body: statusPart(said, { frame, urls, isAlone: true }),
    head,
    files: filesOfStatus(said, urls),
    isIndexed: account.indexable && status.visibility === Visibility.PUBLIC,
  }
}
