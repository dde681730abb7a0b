import { arrayLiteral, type Database, prepared, type Source, type Tx } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { sql } from 'kysely'
import { hasBlockBetween, isOpenStatus } from '../../audience/index.ts'
import { type Mentionable, mentionable, type Naming, originOf, placeOf } from '../../content/text/index.ts'
import { query } from '../../database/query.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredEmoji } from '../../database/tables/emoji.ts'
import type { StoredPoll } from '../../database/tables/poll.ts'
import type { StoredAttachment, StoredMention } from '../../database/tables/status.ts'
import { STORED_POLL } from '../../views/index.ts'

/** A status to edit. */
export type EditableStatus = {
  id: string
  version: number
  text: string
  spoilerText: string
  sensitive: boolean
  language: string | null
  content: string
  createdAt: Date
  /** Without revisions, the time of an edit before this remote status arrived. */
  editedAt: Date | null
  hasRevisions: boolean
  visibility: number
  mentions: StoredMention[]
  tags: string[]
  attachments: StoredAttachment[]
  poll: StoredPoll | null
  emojis: StoredEmoji[]
  /** Whether it quotes a status; then it has no card. */
  isQuote: boolean
}

/** The new content of a status. */
export type Edited = {
  id: string
  text: string
  spoilerText: string
  sensitive: boolean
  language: string | null
  content: string
  mentions: readonly StoredMention[]
  tags: readonly { name: string; display: string }[]
  attachments: readonly StoredAttachment[]
  poll: StoredPoll | null
  emojis: readonly StoredEmoji[]
  at: Date
}

/** A mentioned account, and whether a block stands between it and the author. */
type MentionableRow = Mentionable & { hasBlock: boolean }

const COLUMNS = sql`s.id, h.version, s.text, s.spoiler_text, s.sensitive, s.language, s.content, s.created_at, s.edited_at, h.visibility,
  s.mentions, s.tags, s.attachments, s.emojis,
  exists (select 1 from quote where status_id = s.id) is_quote,
  exists (select 1 from status_revision where status_id = s.id) has_revisions,
  ${STORED_POLL} poll`

const own = prepared(
  'editing.own',
  ({ id, authorId }: { id: string; authorId: string }) => sql<EditableStatus>`
    select ${COLUMNS} from status_head h join status s on s.id = h.id
    where h.id = ${id} and h.author_id = ${authorId} and h.reblog_of_id is null`,
)

/** The author's own status, without a lock; undefined for boosts and for statuses of others. */
export const readOwn = async (source: Source, id: string, authorId: string): Promise<EditableStatus | undefined> =>
  (await own(source, { id, authorId }))[0]

const lockHead = prepared(
  'editing.lock',
  ({ id, authorId }: { id: string; authorId: string }) => sql<{ version: number }>`
    select version from status_head where id = ${id} and author_id = ${authorId} for no key update`,
)

/** The accounts that a text mentions and that are known here, and whether a block stands between them and the author. */
export const readMentionables = async (database: Database<StatusesTables>, naming: Naming, authorId: string): Promise<MentionableRow[]> => {
  const { rows } = await sql<MentionableRow>`
    select m.id, m.username, ${originOf('m')} origin, ${hasBlockBetween('m.id', sql`${authorId}`)} has_block
    from (${mentionable(naming)}) m order by ${placeOf(sql`m.handle`, naming)}`.execute(database.db)
  return rows
}

/** A revision to be stored, valid since `at`. */
export type Revision = {
  content: string
  spoilerText: string
  sensitive: boolean
  attachments: readonly StoredAttachment[]
  poll: StoredPoll | null
  emojis: readonly StoredEmoji[]
  at: Date
}

const contentOf = ({ mentions, tags, attachments, emojis, poll: _, ...edited }: Edited) => ({
  ...edited,
  mentions: JSON.stringify(mentions),
  mentionedIds: mentions.map(({ id }) => id),
  names: tags.map(({ name }) => name),
  displays: tags.map(({ display }) => display),
  attachments: JSON.stringify(attachments),
  emojis: JSON.stringify(emojis),
  hasMedia: attachments.length > 0,
})

/** Revisions as columns; lists are text, since each revision has one. */
const columnsOf = (revisions: readonly Revision[]) => ({
  contents: revisions.map(({ content }) => content),
  spoilerTexts: revisions.map(({ spoilerText }) => spoilerText),
  sensitives: revisions.map(({ sensitive }) => sensitive),
  files: revisions.map(({ attachments }) => JSON.stringify(attachments)),
  pollOptions: revisions.map(({ poll }) => arrayLiteral(poll?.options ?? [])),
  emojiLists: revisions.map(({ emojis }) => JSON.stringify(emojis)),
  times: revisions.map(({ at }) => at),
})

type OutboxRow = ReturnType<Outbox['row']>

const eventsOf = (events: readonly OutboxRow[]) => ({
  topics: events.map(({ topic }) => topic),
  keys: events.map(({ key }) => key),
  envelopes: events.map(({ envelope }) => envelope),
})

type Written = ReturnType<typeof contentOf> & ReturnType<typeof columnsOf> & ReturnType<typeof eventsOf>

/** Writes all changes of an edit and its events, in one statement. */
const writeContent = prepared(
  'editing.write',
  (given: Written) => sql<never>`
    with kept as (
      insert into status_revision (status_id, content, spoiler_text, sensitive, attachments, poll_options, emojis, created_at)
      select ${given.id}::bigint, content, spoiler_text, sensitive, attachments, poll_options::text[], emojis, created_at
      from unnest(${given.contents}::text[], ${given.spoilerTexts}::text[], ${given.sensitives}::boolean[], ${given.files}::jsonb[],
        ${given.pollOptions}::text[], ${given.emojiLists}::jsonb[], ${given.times}::timestamptz[])
        with ordinality revision (content, spoiler_text, sensitive, attachments, poll_options, emojis, created_at, place)
      order by place),
    body as (
      update status set text = ${given.text}, spoiler_text = ${given.spoilerText}, sensitive = ${given.sensitive},
        language = ${given.language}, content = ${given.content}, edited_at = ${given.at}, mentions = ${given.mentions}::jsonb,
        tags = ${given.names}::text[], attachments = ${given.attachments}::jsonb, emojis = ${given.emojis}::jsonb
      where id = ${given.id}),
    mentioned as (
      insert into mention (status_id, account_id) select ${given.id}::bigint, unnest(${given.mentionedIds}::bigint[])
      on conflict do nothing),
    untagged as (delete from status_tag where status_id = ${given.id} and name <> all(${given.names}::text[])),
    named as (
      insert into tag (name, display, created_at) select name, display, ${given.at}::timestamptz
      from unnest(${given.names}::text[], ${given.displays}::text[]) as t (name, display) order by name on conflict (name) do nothing),
    tagged as (
      insert into status_tag (name, status_id, author_id, is_open)
      select name, h.id, h.author_id, ${isOpenStatus('h')} from status_head h, unnest(${given.names}::text[]) name where h.id = ${given.id}
      on conflict do nothing),
    events as (
      insert into outbox (topic, key, envelope) select topic, key, envelope
      from unnest(${given.topics}::text[], ${given.keys}::text[], ${given.envelopes}::bytea[]) with ordinality event (topic, key, envelope, place)
      order by place)
    update status_head set version = version + 1, has_media = ${given.hasMedia}::boolean where id = ${given.id}`,
)

export class EditWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /**
   * Locks the author's own status and reads it; undefined if it is deleted, a boost, or another's. `known` is returned without another read if its
   * version is still the same.
   */
  async lock(id: string, authorId: string, known?: EditableStatus): Promise<EditableStatus | undefined> {
    // Two statements: one that waited for the lock would see the newest version, but the text from before the wait.
    const [head] = await lockHead(this.tx, { id, authorId })
    return head && head.version === known?.version ? known : readOwn(this.tx, id, authorId)
  }

  /** Writes the new content and bumps the version. Formerly mentioned accounts keep access, though no longer listed. */
  async write(edited: Edited, { revisions, events }: { revisions: readonly Revision[]; events: readonly OutboxRow[] }): Promise<void> {
    await writeContent(this.tx, { ...contentOf(edited), ...columnsOf(revisions), ...eventsOf(events) })
  }
}

/** A stored revision. */
type RevisionRow = {
  content: string
  spoilerText: string
  sensitive: boolean
  attachments: StoredAttachment[]
  createdAt: Date
  pollOptions: string[]
  emojis: StoredEmoji[]
}

/** The revisions of a status, oldest first. */
export const readRevisions = prepared(
  'editing.revisions',
  ({ id }: { id: string }) => sql<RevisionRow>`
    select content, spoiler_text, sensitive, attachments, created_at, poll_options, emojis from status_revision where status_id = ${id} order by id`,
)

/** The text of a status as it was typed. */
export const readSourceRow = prepared('editing.source', ({ id }: { id: string }) =>
  query.selectFrom('status').select(['id', 'text', 'spoilerText']).where('id', '=', id),
)
