import type { DomainBlock, InstanceCard } from '@rookery/contracts/federation'
import { AccountBody } from '@rookery/contracts/statuses'
import { type Html, html } from '@rookery/pages'
import { describingHead } from './head.ts'
import { type Frame, numberIn, type Page, type PageContext } from './page.ts'
import { filesOfPerson, personPart } from './person.ts'

/** The content of the page about the server. */
export type About = {
  card: InstanceCard
  /** HTML. */
  description: string
  /** Absent if blocks are not public. */
  blocks: readonly DomainBlock[] | undefined
  /** The picture of the server; one that staff uploaded has no hash. */
  picture: { url: string; blurhash: string | null }
}

const MAX_BLOCKS = 500

const contactPart = ({ contactEmail }: InstanceCard, contact: AccountBody | undefined, { frame, urls }: PageContext): Html => {
  const { about } = frame.texts
  const person = contact && personPart(contact, { urls, host: frame.host })
  const mail = contactEmail && html`<p><a href="mailto:${contactEmail}">${contactEmail}</a></p>`
  return html`<h2>${about.contact}</h2>
${person}${mail}${!person && !mail && html`<p class="small">${about.noContact}</p>`}`
}

const rulesPart = ({ rules }: InstanceCard, { texts }: Frame): Html | undefined => {
  if (rules.length === 0) return undefined
  const items = rules.map(({ text, hint }) => html`<li>${text}${hint && html`<p class="small">${hint}</p>`}</li>`)
  return html`<h2>${texts.about.rules}</h2>
<ol class="rules">${items}</ol>`
}

const blocksPart = (all: readonly DomainBlock[], frame: Frame): Html | undefined => {
  if (all.length === 0) return undefined
  const { blocks } = frame.texts.about
  const severities: Readonly<Record<string, string>> = blocks.severities
  const rows = all
    .slice(0, MAX_BLOCKS)
    .map(
      ({ domain, severity, comment }) =>
        html`<li><div><strong>${domain}</strong>${comment && html`<span>${comment}</span>`}</div><span>${severities[severity] ?? severity}</span></li>`,
    )
  const others = all.length - rows.length
  return html`<h2>${blocks.title}</h2>
<p class="small">${blocks.lead}</p>
<ul class="rows">${rows}</ul>
${others > 0 && html`<p class="small">${blocks.more(numberIn(frame, others))}</p>`}`
}

const countsPart = ({ people, statuses }: InstanceCard, frame: Frame): Html => {
  const { about, posts } = frame.texts
  const count = (number: number, what: string) => html`<li><strong>${numberIn(frame, number)}</strong> ${what}</li>`
  return html`<ul class="counts">${count(people, about.people)}${count(statuses, posts)}</ul>`
}

/** The page about the server: description, rules, contact, and blocked domains. */
export const aboutPage = ({ card, description, blocks, picture }: About, given: PageContext): Page => {
  const { frame, urls } = given
  const contact = card.contactAccount && AccountBody.decode(card.contactAccount.body)
  const lead = card.shortDescription || card.description || frame.texts.about.lead
  return {
    status: 200,
    title: card.title,
    lead,
    body: html`${picture.blurhash === null && html`<img class="banner" src="${picture.url}" alt="">`}${countsPart(card, frame)}
<div class="said">${{ html: description }}</div>
${contactPart(card, contact, given)}
${rulesPart(card, frame)}
${card.hasTerms && html`<p><a href="/terms-of-service">${frame.texts.terms.title}</a></p>`}
${blocks && blocksPart(blocks, frame)}`,
    head: describingHead({
      kind: 'website',
      title: card.title,
      description: lead,
      url: `${frame.baseUrl}/about`,
      image: picture.url,
      host: frame.host,
    }),
    files: [picture.url, ...(contact ? filesOfPerson(contact, urls) : [])],
    isIndexed: true,
  }
}
