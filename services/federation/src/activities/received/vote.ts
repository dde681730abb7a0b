import { ownCall } from '../../own-call.ts'
import { localName, type ObjectDocument } from '../../vocabulary/index.ts'
import { orRefused, type Received, type ReceivedDeps } from './deps.ts'

/** Receives a vote in a local poll: other servers send one for each choice. Ignores votes of suspended accounts. */
export const receiveVote =
  ({ baseUrl, statuses, actors }: ReceivedDeps) =>
  async (object: ObjectDocument, { withAccount }: Received): Promise<void> => {
    const id = localName(baseUrl, object.inReplyTo)?.statusId
    const actor = id ? await withAccount() : undefined
    if (!id || !actor?.accountId || (await actors.isSuspended(actor))) return
    const { statuses: found } = await statuses.outgoing.readStatus(ownCall(), { id, askerId: actor.accountId })
    const choice = found[0]?.poll?.options.findIndex(({ title }) => title === object.name) ?? -1
    if (choice < 0) return
    await orRefused(statuses.polls.vote(ownCall(), { id, viewerId: actor.accountId, choices: [choice] }))
  }
