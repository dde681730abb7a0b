import { payloadOf, renderAct, renderVote } from '../../vocabulary/index.ts'
import { references, type Sends, type SentDeps } from './deps.ts'

/** The uris of a local actor, a remote author and their status. */
const subjectOf = async (deps: SentDeps, value: { accountId: string; statusId: string; authorId: string }) => {
  const found = await references(deps, { accountIds: [value.accountId, value.authorId], statusIds: [value.statusId] })
  const actor = found.account(value.accountId)
  const author = found.account(value.authorId)
  const status = found.status(value.statusId)
  return actor?.isLocal && author && !author.isLocal && status ? { actor: actor.uri, author: author.uri, status: status.uri } : undefined
}

/** A favourite, sent to the author of the status. */
export const statusFavourited =
  (deps: SentDeps): Sends<'statusFavourited'> =>
  async ({ id, event }) => {
    const { accountId, statusId, authorId } = event.value
    const subject = await subjectOf(deps, event.value)
    if (!subject) return []
    const uri = `${subject.actor}#likes/${id}`
    await deps.acts.keep({ uri, kind: 'like', accountId, subjectId: statusId })
    const like = renderAct('Like', { id: uri, actor: subject.actor, to: [subject.author], object: subject.status })
    return [{ ...payloadOf(like), senderId: accountId, accountIds: [authorId] }]
  }

/** An undone favourite. */
export const statusUnfavourited =
  (deps: SentDeps): Sends<'statusUnfavourited'> =>
  async ({ id, event }) => {
    const { accountId, statusId, authorId } = event.value
    const subject = await subjectOf(deps, event.value)
    if (!subject) return []
    const { actor, author, status } = subject
    const uri = (await deps.acts.uriOf({ kind: 'like', accountId, subjectId: statusId })) ?? `${actor}#likes/${statusId}`
    const like = { id: uri, type: 'Like', actor, object: status }
    const undo = renderAct('Undo', { id: `${actor}#unlikes/${id}`, actor, to: [author], object: like })
    return [{ ...payloadOf(undo), senderId: accountId, accountIds: [authorId] }]
  }

/** The choices of a local account in a remote poll, one vote per choice. */
export const pollVoted =
  (deps: SentDeps): Sends<'pollVoted'> =>
  async ({ id, event }) => {
    const { accountId, authorId, choices } = event.value
    const subject = await subjectOf(deps, event.value)
    if (!subject) return []
    const { actor, author, status: question } = subject
    return choices.map((choice, index) => {
      const vote = renderVote({ id: `${actor}#votes/${id}/${index}`, actor, author, question, choice })
      return { ...payloadOf(vote), senderId: accountId, accountIds: [authorId] }
    })
  }
