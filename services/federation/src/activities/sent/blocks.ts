import { payloadOf, renderAct } from '../../vocabulary/index.ts'
import { pairOf, type Sends, type SentDeps } from './deps.ts'

const blockOf = (uri: string, local: string, remote: string) => ({
  id: uri,
  type: 'Block',
  actor: local,
  object: remote,
})

/** A local account blocks a remote one, whose server is asked to hide our posts from it. */
export const accountBlocked =
  (deps: SentDeps): Sends<'accountBlocked'> =>
  async ({ id, event }) => {
    const { accountId, targetId } = event.value
    const pair = await pairOf(deps, accountId, targetId)
    if (!pair) return []
    const uri = `${pair.local.uri}#blocks/${id}`
    await deps.acts.keep({ uri, kind: 'block', accountId, subjectId: targetId })
    const block = { ...blockOf(uri, pair.local.uri, pair.remote.uri), to: [pair.remote.uri] }
    return [{ ...payloadOf(block), senderId: accountId, accountIds: [targetId] }]
  }

/** A local account unblocks a remote one. */
export const accountUnblocked =
  (deps: SentDeps): Sends<'accountUnblocked'> =>
  async ({ id, event }) => {
    const { accountId, targetId } = event.value
    const pair = await pairOf(deps, accountId, targetId)
    if (!pair) return []
    const uri = (await deps.acts.uriOf({ kind: 'block', accountId, subjectId: targetId })) ?? `${pair.local.uri}#blocks/${targetId}`
    const object = blockOf(uri, pair.local.uri, pair.remote.uri)
    const undo = renderAct('Undo', { id: `${pair.local.uri}#unblocks/${id}`, actor: pair.local.uri, to: [pair.remote.uri], object })
    return [{ ...payloadOf(undo), senderId: accountId, accountIds: [targetId] }]
  }
