import { randomInt } from 'node:crypto'
import { QuoteState, type RemoteStatus, type StoredRemoteStatus } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Ids } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { isStated } from '../../audience/index.ts'
import { emojiWithOwnAddresses, filesOf, type RemoteFileAddresses, withOwnAddresses } from '../../content/attachments/index.ts'
import { type LinkFollower, linkShown } from '../../content/cards/index.ts'
import { keepRemoteEmojis } from '../../content/emojis/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { type FinalizedDraft, inAttempts, isListed, newStatusEvents, writeStatus } from '../statuses/index.ts'
import { linkReplies } from './await-parent.ts'
import { editRemoteStatus, type OwnAddresses } from './edit-remote-status.ts'
import {
  editedAt,
  isOwnUri,
  publishedAt,
  REMOTE_LIMITS,
  remoteAttachments,
  remoteCounts,
  remoteId,
  remoteQuotePolicy,
  remoteQuoteState,
  remoteTags,
  remoteWording,
  webAddress,
} from './remote-status.rules.ts'
import { countElsewhere, prepareRemote, type RemotePreparation, RemoteStatusWriter } from './remote-status.store.ts'
import { requoteRemoteStatus } from './requote-remote-status.ts'

export type StoreDeps = {
  database: Database<StatusesTables>
  outbox: Outbox
  views: Views
  followLink: LinkFollower
  addressRemoteFiles: RemoteFileAddresses
  clock: Clock
  ids: Ids
  baseUrl: string
}

const MAX_ATTEMPTS = 8
const LOW_BITS = 0x1_0000
const REFUSED: StoredRemoteStatus = { id: '', isNew: false }

/** The quoted status, if the quote is shown, and the state of the quote. */
const quotedBy = (status: RemoteStatus, { quoted }: RemotePreparation) => {
  const state = remoteQuoteState(status, quoted)
  return {
    quoted: quoted && state !== undefined ? { ...quoted, mayNotify: quoted.mayNotify && !status.isFetched } : undefined,
    quoteState: state ?? QuoteState.ACCEPTED,
    quoteAuthorizationUri: status.quoteAuthorizationUri,
  }
}

/** A received status of a known author, with the data read for it and the local URLs of its files. */
type Preparing = { status: RemoteStatus; prepared: RemotePreparation & { domain: string }; own: OwnAddresses }

/** The complete draft of a received status, under its id. */
const finalized = (deps: StoreDeps, { status, prepared, own }: Preparing, id: string): FinalizedDraft => {
  const { links, ...words } = remoteWording(status, prepared.unusableTags)
  const now = deps.clock.now()
  const attachments = remoteAttachments(status.attachments, () => deps.ids.next()).map(own.attachment)
  const { parent } = prepared
  const isReplyToOther = parent === null ? status.inReplyToId !== '' || status.isReplyToUnknown : parent.authorId !== status.authorId
  return {
    ...words,
    emojis: words.emojis.map(own.emoji),
    id,
    createdAt: new Date(publishedAt(status.publishedAtMilliseconds, now)),
    editedAt: editedAt(status, now),
    attachments,
    authorId: status.authorId,
    username: prepared.username,
    origin: { domain: prepared.domain, uri: status.uri, url: webAddress(status.url) || status.uri },
    isFetched: status.isFetched,
    visibility: status.visibility,
    parent: parent ? { ...parent, isMuted: false } : undefined,
    ...quotedBy(status, prepared),
    quotePolicy: remoteQuotePolicy(status),
    isReplyToOther,
    isListed: isListed(status.visibility, isReplyToOther),
    application: undefined,
    people: (prepared.mentioned ?? []).filter(({ hasBlock }) => !hasBlock),
    authorCreatedAt: prepared.createdAt,
    isAuthorSilenced: prepared.isSilenced,
    isAuthorStaff: false,
    link: linkShown({ text: links, attachments }, deps.baseUrl),
    contextVersion: undefined,
  }
}

/** Publishes a status that was stored by a fetch as new: now its server delivered it. */
const announceFetched = ({ database, outbox }: StoreDeps, call: Call, draft: FinalizedDraft): Promise<void> =>
  transact(database.db, async (tx) => {
    if (await new RemoteStatusWriter(tx).unfetch(draft.id)) await outbox.append(tx, newStatusEvents(draft), call.trace)
  })

/** Adds a prepared status, or updates the stored one; undefined if another status has its id. */
const storePrepared = (deps: StoreDeps) => {
  const { database } = deps
  const write = writeStatus(deps)
  const edit = editRemoteStatus(deps)
  const requote = requoteRemoteStatus(deps)
  const keepEmojis = keepRemoteEmojis(database)

  /** Assigns URLs of this server to the files, so that clients do not load them from the remote server. */
  const addressed = async (call: Call, status: RemoteStatus, domain: string): Promise<OwnAddresses> => {
    const { emojis } = remoteWording(status)
    const files = filesOf({ attachments: remoteAttachments(status.attachments, () => ''), emojis })
    const addressOf = await deps.addressRemoteFiles(call, { domain, files, isWantedSoon: !status.isFetched })
    const emoji = emojiWithOwnAddresses(addressOf)
    await keepEmojis({ domain, emojis, own: emoji })
    return { attachment: withOwnAddresses(addressOf), emoji }
  }

  const count = (id: string, status: RemoteStatus) => countElsewhere(database, { id, ...remoteCounts(status) })

  const replace = async (call: Call, preparing: Preparing): Promise<StoredRemoteStatus> => {
    const { status, prepared, own } = preparing
    const { id, isFetched } = prepared.stored!
    const people = (prepared.mentioned ?? []).filter(({ hasBlock }) => !hasBlock)
    await edit(call, { id, status, people, unusableTags: prepared.unusableTags, own })
    await requote(call, { id, status, quoted: prepared.quoted })
    if (status.favouritesCount !== undefined || status.reblogsCount !== undefined) await count(id, status)
    if (isFetched && !status.isFetched && !prepared.isSuspended) await announceFetched(deps, call, finalized(deps, preparing, id))
    return { id, isNew: false }
  }

  /** Adds the status; undefined if another status has its id. */
  const add = async (call: Call, preparing: Preparing, now: number): Promise<StoredRemoteStatus | undefined> => {
    const { status } = preparing
    const id = remoteId(status, now, randomInt(LOW_BITS))
    const page = await write(finalized(deps, preparing, id), { trace: call.trace, isOrdered: false })
    if (!page) return undefined
    if (status.favouritesCount || status.reblogsCount) await count(id, status)
    return { id, isNew: true }
  }

  return async (call: Call, { status, prepared }: Omit<Preparing, 'own'>, now: number): Promise<StoredRemoteStatus | undefined> => {
    const preparing = { status, prepared, own: await addressed(call, status, prepared.domain) }
    return prepared.stored ? replace(call, preparing) : add(call, preparing, now)
  }
}

/**
 * Stores a received remote status, or updates the stored one. Refuses a new one of a suspended author; one whose author is closed, unknown or local;
 * one that staff deleted here; and one whose uri is not on its author's server or belongs to another author. A status stored by a fetch is published as
 * new when its server delivers it. A reply whose parent is not here gets it when it arrives.
 * @throws Failure conflict if no free id is found for its time
 */
export const storeRemoteStatus = (deps: StoreDeps) => {
  const { database, clock } = deps
  const store = storePrepared(deps)
  const link = linkReplies(deps)
  return async (call: Call, status: RemoteStatus): Promise<StoredRemoteStatus> => {
    const asked = askedOf(status)
    return inAttempts(MAX_ATTEMPTS, async () => {
      const now = clock.now()
      const [prepared] = await prepareRemote(database, { ...asked, now: new Date(now) })
      if (!mayStore(status, prepared)) return REFUSED
      const stored = await store(call, { status, prepared }, now)
      if (stored) await link({ id: stored.id, uri: status.uri, inReplyToUri: status.inReplyToUri, prepared })
      return stored
    })
  }
}

/** The values by which `prepareRemote` reads the author and stored data of a status. */
const askedOf = (status: RemoteStatus) => ({
  authorId: status.authorId,
  uri: status.uri,
  parentId: status.inReplyToId || null,
  quotedId: status.quotedStatusId || null,
  mentionedIds: [...new Set(status.mentionedAccountIds)].slice(0, REMOTE_LIMITS.mentions),
  tags: remoteTags(status.tags).map(({ name }) => name),
})

const mayStore = (status: RemoteStatus, prepared: RemotePreparation | undefined): prepared is RemotePreparation & { domain: string } =>
  prepared !== undefined &&
  prepared.domain !== null &&
  (!prepared.isSuspended || prepared.stored !== null) &&
  !prepared.isRemoved &&
  (prepared.stored?.authorId ?? status.authorId) === status.authorId &&
  isStated(status.visibility) &&
  isOwnUri(status.uri, prepared.uri ?? '')
