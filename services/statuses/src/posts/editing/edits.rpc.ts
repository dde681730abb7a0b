import { EditsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AttachmentClaims } from '../../content/attachments/index.ts'
import type { LinkFollower } from '../../content/cards/index.ts'
import type { EmojiFinder } from '../../content/emojis/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { editStatus } from './edit-status.ts'
import { readHistory, readSource } from './read-history.ts'

type Deps = {
  database: Database<StatusesTables>
  views: Views
  claims: AttachmentClaims
  findEmojis: EmojiFinder
  outbox: Outbox
  clock: Clock
  followLink: LinkFollower
  baseUrl: string
}

/** Serves Edits of the contract: editing, the source text and the revisions. */
export const createEditsRpc = (deps: Deps): Handler => {
  const history = readHistory(deps)
  const source = readSource(deps)
  return handler(EditsDefinition, {
    edit: editStatus(deps),
    readSource: (_call, request) => source(request),
    readHistory: (_call, request) => history(request),
  })
}
