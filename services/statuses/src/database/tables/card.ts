import type { ColumnType, Generated } from 'kysely'

/** Who wrote a page, as it says: a handle, without a domain for people of this server, and the host that says so. */
export type CardCreator = { username: string; domain: string | null; host: string }

/** What a link leads to, as its status shows it, but for the address: that is the link as it was typed. */
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
  /** Absent where the page names no one. */
  creator?: CardCreator | undefined
  /** Milliseconds since 1970. */
  published_at: number | null
}

/** A page that statuses link to, regardless of their number. */
export type PreviewCardTable = {
  /** Of the url: longer ones fit into no index. */
  digest: string
  url: string
  /** Rises with every request that was made, so that each is made once. */
  round: Generated<number>
  /** Requests in a row that failed in a way that may pass. */
  failures: Generated<number>
  /** When it was linked first, or asked for last. */
  askedAt: Date
  /** When the page may be asked for again. */
  dueAt: Date
  /** Null until something worth showing was found. */
  card: ColumnType<StoredCard | null, string | undefined, string>
  /** The subject its picture is claimed for. */
  pictureSubjectId: string | null
}

/** Which card a status shows, and the link as its author typed it. */
export type StatusCardTable = { statusId: string; digest: string; url: string }
