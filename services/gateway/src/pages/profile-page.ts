import type { AccountBody } from '@rookery/contracts/statuses'
import type { Addresses } from '@rookery/entities'
import { plainText } from '@rookery/markup'
import { type Html, html } from '@rookery/pages'
import { textWithEmojis, withEmojis } from './emojis.ts'
import { describingHead, excerpt } from './head.ts'
import { dayIn, type Frame, numberIn, type Page, type PageContext } from './page.ts'
import { filesOfPeople, type People, peoplePart } from './people.ts'
import { avatarOf, filesOfPerson, mayBeIndexed, nameOf, personPart } from './person.ts'
import { filesOfTimeline, type Timeline, timelinePart } from './timeline.ts'

/** The tabs of a profile, each with its own path; the first is at the profile's. */
const TABS = ['posts', 'with_replies', 'media', 'followers', 'following'] as const
export type Tab = (typeof TABS)[number]

/** The account of a profile page, and whether it has a media tab. */
export type Profile = { account: AccountBody; moved: AccountBody | undefined; showsMedia: boolean }

/** The content of a profile page below the person. */
export type Shown =
  | { kind: 'posts'; tab: Tab; timeline: Timeline }
  | { kind: 'tagged'; tag: string; timeline: Timeline }
  | { kind: 'people'; tab: Tab; people: People | 'hidden' }
  /** The page of a suspended account says only that. */
  | { kind: 'nothing' }

/** The URL of a tab of a profile. */
export const tabAddress = (urls: Addresses, username: string, tab: Tab): string =>
  tab === 'posts' ? urls.profile(username) : `${urls.profile(username)}/${tab}`

const feedAddress = ({ username }: AccountBody, urls: Addresses): string => `${urls.profile(username)}.rss`

const noticePart = ({ account, moved }: Profile, { urls, frame }: PageContext): Html | undefined => {
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

const current = (isCurrent: boolean): Html | false => isCurrent && html` aria-current="page"`

const countsPart = (account: AccountBody, shown: Shown, { urls, frame }: PageContext): Html => {
  const { texts } = frame
  const rules = new Intl.PluralRules(frame.language)
  const count = (number: number, what: keyof typeof texts.counted) =>
    html`<strong>${numberIn(frame, number)}</strong> ${texts.counted[what][rules.select(number)] ?? texts.counted[what].other}`
  const list = (tab: 'followers' | 'following', number: number) =>
    html`<li><a href="${tabAddress(urls, account.username, tab)}"${current('tab' in shown && shown.tab === tab)}>${count(number, tab)}</a></li>`
  return html`<ul class="counts"><li>${count(account.statusesCount, 'posts')}</li>${list('followers', account.followersCount)}${list('following', account.followingCount)}<li>${texts.joined(dayIn(frame, account.createdAtMilliseconds))}</li>${!account.isSuspended && html`<li><a href="${feedAddress(account, urls)}" rel="alternate" type="application/rss+xml">${texts.feed}</a></li>`}</ul>`
}

const tabsPart = ({ account, showsMedia }: Profile, shown: Shown, { urls, frame }: PageContext): Html => {
  const { tabs } = frame.texts
  const names = [
    ['posts', tabs.posts],
    ['with_replies', tabs.withReplies],
    ...(showsMedia ? ([['media', tabs.media]] as const) : []),
  ] as const
  return html`<nav class="tabs" aria-label="${tabs.label}">${names.map(
    ([tab, name]) => html`<a href="${tabAddress(urls, account.username, tab)}"${current('tab' in shown && shown.tab === tab)}>${name}</a>`,
  )}</nav>`
}

const shownPart = (shown: Shown, { account, given }: { account: AccountBody; given: PageContext }): Html | undefined => {
  const { texts } = given.frame
  if (shown.kind === 'nothing') return undefined
  if (shown.kind === 'people') {
    const part = shown.people === 'hidden' ? html`<p class="foot">${texts.hiddenPeople}</p>` : peoplePart(shown.people, given)
    return html`<h2>${shown.tab === 'followers' ? texts.followers : texts.following}</h2>${part}`
  }
  const heading = shown.kind === 'tagged' && html`<h2>${texts.tag.taggedBy(shown.tag, nameOf(account))}</h2>`
  return html`${heading}${timelinePart(shown.timeline, given)}`
}

const filesOf = (shown: Shown, urls: Addresses): string[] => {
  if (shown.kind === 'nothing') return []
  if (shown.kind === 'people') return shown.people === 'hidden' ? [] : filesOfPeople(shown.people, urls)
  return filesOfTimeline(shown.timeline, urls)
}

/** Whether search engines may index the page: the first page of an account that allows it. */
const isIndexed = (account: AccountBody, shown: Shown): boolean =>
  mayBeIndexed(account) && shown.kind === 'posts' && shown.tab === 'posts' && !shown.timeline.pager.latest

/** The title of a page: the person, preceded by the tab. */
const titleOf = (account: AccountBody, shown: Shown, { texts }: Frame): string => {
  const person = `${nameOf(account)} (@${account.username})`
  if (shown.kind === 'nothing') return person
  if (shown.kind === 'tagged') return `#${shown.tag} · ${person}`
  const { tabs, followers, following } = texts
  const names: Record<Tab, string> = { posts: '', with_replies: tabs.withReplies, media: tabs.media, followers, following }
  return [names[shown.tab], person].filter(Boolean).join(' · ')
}

/** The page of a profile as anyone may see it: the person, and a tab with posts or people. */
export const profilePage = (profile: Profile, shown: Shown, given: PageContext): Page => {
  const { account, moved } = profile
  const { frame, urls } = given
  const header = account.headerStaticUrl || account.headerUrl
  const body = html`${header && html`<img class="header" src="${header}" alt="">`}
${personPart(account, { urls, host: frame.host, isOwnPage: true, bot: frame.texts.bot })}
${noticePart(profile, given)}
<div class="said">${withEmojis({ html: account.note }, account.emojis)}</div>
${fieldsPart(account)}
${countsPart(account, shown, given)}
${!account.isSuspended && tabsPart(profile, shown, given)}
${shownPart(shown, { account, given })}`
  return {
    status: 200,
    title: titleOf(account, shown, frame),
    heading: '',
    body,
    head: describingHead({
      kind: 'profile',
      title: `${nameOf(account)} (@${account.username}@${frame.host})`,
      description: excerpt(plainText(account.note)) || frame.texts.profileOf(nameOf(account)),
      url: urls.profile(account.username),
      image: avatarOf(account, urls),
      host: frame.host,
      ...(account.isSuspended ? {} : { feed: feedAddress(account, urls), activity: urls.actor(account.username) }),
    }),
    files: [
      ...filesOfPerson(account, urls),
      ...(moved ? filesOfPerson(moved, urls) : []),
      ...(header ? [header] : []),
      ...filesOf(shown, urls),
    ],
    isIndexed: isIndexed(account, shown),
  }
}
