import type { AccountBody } from '@rookery/contracts/statuses'
import type { Addresses } from '@rookery/entities'
import { plainText } from '@rookery/markup'
import { type Html, html } from '@rookery/pages'
import { textWithEmojis, withEmojis } from './emojis.ts'
import { describingHead, excerpt } from './head.ts'
import { dayIn, type Frame, numberIn, type Page } from './page.ts'
import { avatarOf, filesOfPerson, nameOf, personPart } from './person.ts'
import { filesOfStatus, type Said, statusPart } from './status.ts'

/** What a profile's page shows. */
export type Profile = { account: AccountBody; moved: AccountBody | undefined; posts: readonly Said[] }

const noticePart = ({ account, moved }: Profile, { urls, frame }: { urls: Addresses; frame: Frame }): Html | undefined => {
  const { texts, host } = frame
  if (account.isSuspended) return html`<p class="notice">${texts.suspended}</p>`
  if (account.isMemorial) return html`<p class="notice">${texts.memorial}</p>`
  return moved && html`<div class="notice">${texts.moved} ${personPart(moved, { urls, host })}</div>`
}

const fieldsPart = ({ fields, emojis }: AccountBody): Html | undefined => {
  const rows = fields.map(
    ({ name, value, verifiedAtMilliseconds }) =>
      html`<div${verifiedAtMilliseconds !== undefined && html` class="verified"`}><dt>${textWithEmojis(name, emojis)}</dt><dd class="said">${withEmojis({ html: value }, emojis)}</dd></div>`,
  )
  return rows.length > 0 ? html`<dl class="fields">${rows}</dl>` : undefined
}

const figuresPart = (account: AccountBody, frame: Frame): Html => {
  const { texts } = frame
  const figure = (count: number, what: string) => html`<li><strong>${numberIn(frame, count)}</strong> ${what}</li>`
  return html`<ul class="figures">${[
    figure(account.statusesCount, texts.posts),
    figure(account.followersCount, texts.followers),
    figure(account.followingCount, texts.following),
  ]}<li>${texts.joined(dayIn(frame, account.createdAtMilliseconds))}</li></ul>`
}

/** The page of someone's profile with their latest posts, as anyone may see it. */
export const profilePage = (profile: Profile, { frame, urls }: { frame: Frame; urls: Addresses }): Page => {
  const { account, moved, posts } = profile
  const header = account.headerStaticUrl || account.headerUrl
  const shown = posts.map((said) => statusPart(said, { frame, urls }))
  const body = html`${header && html`<img class="header" src="${header}" alt="">`}
${personPart(account, { urls, host: frame.host, isOwnPage: true })}
${noticePart(profile, { urls, frame })}
<div class="said">${withEmojis({ html: account.note }, account.emojis)}</div>
${fieldsPart(account)}
${figuresPart(account, frame)}
${shown.length > 0 ? shown : html`<p class="foot">${frame.texts.noPosts}</p>`}`
  return {
    status: 200,
    title: `${nameOf(account)} (@${account.username})`,
    heading: '',
    body,
    head: describingHead({
      kind: 'profile',
      title: `${nameOf(account)} (@${account.username}@${frame.host})`,
      description: excerpt(plainText(account.note)) || frame.texts.profileOf(nameOf(account)),
      url: urls.profile(account.username),
      image: avatarOf(account, urls),
      host: frame.host,
    }),
    files: [
      ...filesOfPerson(account, urls),
      ...(moved ? filesOfPerson(moved, urls) : []),
      ...(header ? [header] : []),
      ...posts.flatMap((said) => filesOfStatus(said, urls)),
    ],
    isIndexed: account.indexable && !account.isSuspended,
  }
}
