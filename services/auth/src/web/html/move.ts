import type { Violation } from '@rookery/failures'
import { type Html, html } from '@rookery/pages'
import { alarm, field, form, hidden } from './field.ts'
import type { Frame, Page } from './layout.ts'
import { proofFields } from './proof.ts'
import { violationSentence } from './violation.ts'

/** A typed handle, and its violation. */
type Typed = { typed: string; violation?: Violation }

/** The state of moves from and to the account. */
export type MoveView = {
  formToken: string
  movedTo?: string | undefined
  aliases: readonly { accountId: string; username: string }[]
  note?: string
  problem?: string
  move?: Typed
  alias?: Typed
}

const handle = ({ texts }: Frame, name: string, label: string, { typed, violation }: Typed = { typed: '' }): Html => {
  const error = violation && violationSentence(texts, { ...violation, field: 'acct' })
  return field({ name, label, value: typed, autocomplete: 'off', hint: texts.move.handle, error })
}

/** The page of moves: to another account, undoing a move, and aliases that may move here. */
export const movePage = (frame: Frame, view: MoveView): Page => {
  const { texts } = frame
  const { move } = texts
  const post = (path: string, body: Html) =>
    form({ action: `/auth/account/move${path}?lang=${texts.language}`, formToken: view.formToken, body })
  const leave = post(
    '',
    html`${handle(frame, 'acct', move.acct, view.move)}${proofFields(frame)}<button type="submit">${move.submit}</button>`,
  )
  const back = post('/undo', html`${proofFields(frame)}<button type="submit">${move.undo}</button>`)
  const rows = view.aliases.map(
    ({ accountId, username }) =>
      html`<li><strong>@${username}</strong>${post(
        '/aliases/remove',
        html`${hidden('alias_id', accountId)}<button type="submit" class="quiet compact">${move.removeAlias}</button>`,
      )}</li>`,
  )
  return {
    section: 'move',
    title: move.title,
    lead: view.movedTo ? move.moved(view.movedTo) : move.lead,
    body: html`${alarm(view.problem)}${view.note && html`<p class="notice" role="status">${view.note}</p>`}
${view.movedTo ? back : leave}
<h2>${move.aliases}</h2>
<p class="small">${move.aliasesLead}</p>
${rows.length > 0 && html`<ul class="rows">${rows}</ul>`}
${post('/aliases', html`${handle(frame, 'alias', move.alias, view.alias)}<button type="submit" class="quiet">${move.addAlias}</button>`)}`,
  }
}
