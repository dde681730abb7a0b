import type { Invite, InviteList } from '@rookery/contracts/auth'
import { html } from '@rookery/pages'
import { endInvite, listInvites } from '../endpoints/invites.ts'
import type { Field } from '../fields.ts'
import type { AdminPage } from '../page.ts'
import { actPart, filtered, filterPart, numberOf, pagerPart, type RecordParts, recordsPart, timePart } from '../parts.ts'
import { read, type Visit } from '../visit.ts'

const PAGE = 40

const inviteRecord = (invite: Invite, visit: Visit): RecordParts => {
  const { invites } = visit.texts
  const { goodUntilMilliseconds: until, maxUses } = invite
  const uses = numberOf(visit, invite.uses)
  const isOver = until !== undefined && until <= visit.clients.clock.now()
  return {
    title: `@${invite.username || invite.accountId}`,
    href: `/admin/accounts/${invite.accountId}`,
    marks: [invite.isGood ? invites.states.good : invites.states.over],
    facts: [
      html`<code>${invite.code}</code>`,
      `${invites.uses}: ${maxUses === undefined ? uses : invites.of(uses, numberOf(visit, maxUses))}`,
      html`${invites.made}: ${timePart(visit, invite.createdAtMilliseconds)}`,
      html`${isOver ? invites.since : invites.until}: ${until === undefined ? invites.never : timePart(visit, until)}`,
    ],
    acts: [
      invite.isGood && actPart(visit, { form: 'end', label: invites.end, values: { id: invite.id }, about: invite.code, kind: 'danger' }),
    ],
  }
}

const stateField = ({ texts }: Visit): Field => ({
  name: 'state',
  label: texts.accounts.status,
  kind: 'choice',
  options: [['', texts.any], ...Object.entries(texts.invites.states)],
})

/** GET /admin/invites: all invitations, with a button to end each. */
export const invitesPage: AdminPage = {
  path: '/admin/invites',
  section: 'invites',
  isFirst: true,
  access: listInvites.access,
  async read(visit) {
    const { texts } = visit
    const { invites, cursors } = await read<InviteList>(visit, listInvites, { ...filtered(visit, ['state']), limit: String(PAGE) })
    return {
      title: texts.sections.invites,
      lead: texts.invites.lead,
      body: html`${filterPart(visit, [stateField(visit)], texts.filter)}
${recordsPart(
  invites.map((invite) => inviteRecord(invite, visit)),
  texts.none,
)}${pagerPart(visit, { cursors, style: { newer: 'min_id', whenever: 'full' } })}`,
    }
  },
  forms: { end: { endpoint: endInvite, done: 'inviteEnded', final: () => 'endInvite' } },
}
