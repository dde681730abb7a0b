import { type Database, type Db, prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { hasBlockBetween, isOpenStatus } from '../../audience/index.ts'
import { type Mentionable, mentionable, type Naming, originOf, placeOf } from '../../content/text/index.ts'
import { query } from '../../database/query.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredEmoji } from '../../database/tables/emoji.ts'
import type { StoredPoll } from '../../database/tables/poll.ts'
import type { StoredAttachment, StoredMention } from '../../database/tables/status.ts'
import { STORED_POLL } from '../../views/index.ts'

/** A status as it stands, locked for an edit. */
export type EditableStatus = {
  id: string
  text: string
  spoilerText: string
  sensitive: boolean
  language: string | null
  content: string
  createdAt: Date
  editedAt: Date | null
  visibility: number
  mentions: StoredMention[]
  tags: string[]
  attachments: StoredAttachment[]
  poll: StoredPoll | null
  emojis: StoredEmoji[]
  /** It quotes another, and shows no card. */
  isQuote: boolean
}

/** A status as it is to be. */
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

/** Someone mentioned, and what stands between them and the author. */
type MentionableRow = Mentionable & { hasBlock: boolean }

const COLUMNS = sql`s.id, s.text, s.spoiler_text, s.sensitive, s.language, s.content, s.created_at, s.edited_at, h.visibility,
  s.mentions, s.tags, s.attachments, s.emojis,
  exists (select 1 from quote where status_id = s.id) is_quote,
  ${STORED_POLL} poll`

/** The author's own status, without a lock; undefined for boosts and for what is not theirs. */
export const readOwn = async (db: Db<StatusesTables>, id: string, authorId: string): Promise<EditableStatus | undefined> => {
  const { rows } = await sql<EditableStatus>`
    select ${COLUMNS} from status_head h join status s on s.id = h.id
    where h.id = ${id} and h.author_id = ${authorId} and h.reblog_of_id is null`.execute(db)
  return rows[0]
}

/** Of the people a text names those who are known here, and whether a block stands between them and the author. */
export const readMentionables = async (database: Database<StatusesTables>, naming: Naming, authorId: string): Promise<MentionableRow[]> => {
  const { rows } = await sql<MentionableRow>`
    select m.id, m.username, ${originOf('m')} origin, ${hasBlockBetween('m.id', sql`${authorId}`)} has_block
    from (${mentionable(naming)}) m order by ${placeOf(sql`m.handle`, naming)}`.execute(database.db)
  return rows
}

export class EditWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Locks the author's own status and returns what it is; undefined when it is gone, a boost, or another's. */
  async lock(id: string, authorId: string): Promise<EditableStatus | undefined> {
    // Two statements: one that waited for the lock would still see the text from before the wait.
    await sql`select 1 from status_head where id = ${id} and author_id = ${authorId} for no key update`.execute(this.tx)
    return readOwn(this.tx, id, authorId)
  }

  /** Keeps a state as a revision of its time. */
  async keep(revision: {
    statusId: string
    content: string
    spoilerText: string
    sensitive: boolean
    attachments: readonly StoredAttachment[]
    poll: StoredPoll | null
    emojis: readonly StoredEmoji[]
    at: Date
  }): Promise<void> {
    await this.tx
      .insertInto('statusRevision')
      .values({
        statusId: revision.statusId,
        content: revision.content,
        spoilerText: revision.spoilerText,
        sensitive: revision.sensitive,
        attachments: JSON.stringify(revision.attachments),
        pollOptions: revision.poll?.options ?? [],
        emojis: JSON.stringify(revision.emojis),
        createdAt: revision.at,
      })
      .execute()
  }

  /** Writes the new content and bumps the version. Who was mentioned before keeps access, though no longer listed. */
  async write(edited: Edited): Promise<void> {
    const names = edited.tags.map(({ name }) => name)
    const displays = edited.tags.map(({ display }) => display)
    await sql`
      update status set text = ${edited.text}, spoiler_text = ${edited.spoilerText}, sensitive = ${edited.sensitive},
        language = ${edited.language}, content = ${edited.content}, edited_at = ${edited.at}, mentions = ${JSON.stringify(edited.mentions)}::jsonb,
        tags = ${names}::text[], attachments = ${JSON.stringify(edited.attachments)}::jsonb,
        emojis = ${JSON.stringify(edited.emojis)}::jsonb
      where id = ${edited.id}`.execute(this.tx)
    await sql`
      update status_head set version = version + 1, has_media = ${edited.attachments.length > 0}::boolean where id = ${edited.id}`.execute(
      this.tx,
    )
    await sql`
      insert into mention (status_id, account_id) select ${edited.id}::bigint, unnest(${edited.mentions.map(({ id }) => id)}::bigint[])
      on conflict do nothing`.execute(this.tx)
    await sql`delete from status_tag where status_id = ${edited.id} and name <> all(${names}::text[])`.execute(this.tx)
    await sql`
      insert into tag (name, display, created_at) select name, display, ${edited.at}::timestamptz
      from unnest(${names}::text[], ${displays}::text[]) as t (name, display) order by name on conflict (name) do nothing`.execute(this.tx)
    await sql`
      insert into status_tag (name, status_id, author_id, is_open)
      select name, h.id, h.author_id, ${isOpenStatus('h')} from status_head h, unnest(${names}::text[]) name where h.id = ${edited.id}
      on conflict do nothing`.execute(this.tx)
  }
}

/** A state that a status was in. */
type RevisionRow = {
  content: string
  spoilerText: string
  sensitive: boolean
  attachments: StoredAttachment[]
  createdAt: Date
  pollOptions: string[]
  emojis: StoredEmoji[]
}

/** The states a status was in, oldest first. */
export const readRevisions = prepared(
  'editing.revisions',
  ({ id }: { id: string }) => sql<RevisionRow>`
    select content, spoiler_text, sensitive, attachments, created_at, poll_options, emojis from status_revision where status_id = ${id} order by id`,
)

/** A status as it was typed. */
export const readSourceRow = prepared('editing.source', ({ id }: { id: string }) =>
  query.selectFrom('status').select(['id', 'text', 'spoilerText']).where('id', '=', id),
)
