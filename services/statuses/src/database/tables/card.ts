import type { ColumnType, Generated } from 'kysely'

/** The author that a page names: a handle, without a domain for local people, and the page's host. */
export type CardCreator = { username: string; domain: string | null; host: string }

/** A link preview as statuses store it, without its url, which is the link as it was typed. */
export type StoredCard = {
  type: 'link' | 'photo' | 'video' | 'rich'
  title: string
  description: string
  language: string
  author_name: string
  author_url: string
  provider_name: string
  provider_url: string
  html: string
  width: number
  height: number
  image_url: string
  image_description: string
  blurhash: string
  /** Absent if the page names no author. */
  creator?: CardCreator | undefined
  /** Milliseconds since 1970. */
  published_at: number | null
}

/** A linked page, shared by all statuses that link to it. */
export type PreviewCardTable = {
  /** SHA-256 of the url: long urls fit into no index. */
  digest: string
  url: string
  /** The number of finished fetches, so that each round is fetched once. */
  round: Generated<number>
  /** Consecutive temporary failures. */
  failures: Generated<number>
  /** When it was first linked, or last fetched. */
  askedAt: Date
  /** When it may be fetched next. */
  dueAt: Date
  /** Null until a fetch found a preview. */
  card: ColumnType<StoredCard | null, string | undefined, string>
  /** The subject that claims its image. */
  pictureSubjectId: string | null
}

/** The card of a status, and the link as its author typed it. */
export type StatusCardTable = { statusId: string; digest: string; url: string }
