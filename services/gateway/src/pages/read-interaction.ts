import { notFound } from '@rookery/failures'
import { html } from '@rookery/pages'
import { interactionTarget } from './interaction.rules.ts'
import type { Read } from './read.ts'

/** Reads the target of a button on another server: a redirect to a record of this server, else how to find it in an app. */
export const readInteraction: Read = async (_address, { frame, clients, query }) => {
  const found = interactionTarget(query.get('uri') ?? query.get('acct') ?? '', frame.baseUrl)
  if (!found) throw notFound('no address of a record')
  const { urls } = clients.render
  if (found.kind === 'here') {
    const location = found.id ? urls.status(found.username, found.id) : urls.profile(found.username)
    return { status: 302, title: '', location }
  }
  const { title, lead, name, signIn } = frame.texts.interaction
  return {
    status: 200,
    title,
    lead,
    body: html`<dl>
<div><dt>${name}</dt><dd><strong>${found.name}</strong></dd></div>
<div><dt>${signIn}</dt><dd>${frame.host}</dd></div>
</dl>`,
  }
}
