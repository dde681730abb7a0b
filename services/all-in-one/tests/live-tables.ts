import { READERS, type Reader, type tableOf, WILLING } from './live-audience.ts'

// Parts of the table of beyond-the-spec 1.7.

/** The readers of each event on each stream. */
export type Table = ReturnType<typeof tableOf>

/** Followers who see the author's posts: not those who mute. */
export const FOLLOWERS: Reader[] = ['author', 'follower', 'friend', 'owner']
/** The same with followers of its tag, in the order of readers. */
export const TAG_FOLLOWERS: Reader[] = ['author', 'follower', 'friend', 'tagger', 'owner']
export const MENTIONED: Reader[] = ['friend', 'guest']
/** Some readers and others, in the order of readers. */
export const withReaders = (readers: readonly Reader[], ...others: Reader[]): Reader[] =>
  READERS.filter((reader) => readers.includes(reader) || others.includes(reader))

export const onStreams = (streams: readonly string[], event: string, readers: readonly Reader[]): Table =>
  Object.fromEntries(streams.map((stream) => [stream, { [event]: [...readers] }]))
export const inPublic = (event: string, readers: readonly Reader[] = WILLING) => onStreams(['public', 'public:local'], event, readers)
export const withMedia = (event: string, readers: readonly Reader[] = WILLING) =>
  onStreams(['public:media', 'public:local:media'], event, readers)
export const tagged = (event: string, readers: readonly Reader[] = WILLING) => onStreams(['hashtag', 'hashtag:local'], event, readers)
export const atHome = (event: string, readers: readonly Reader[]) => onStreams(['user'], event, readers)
export const onList = (event: string): Table => ({ list: { [event]: ['owner'] } })
export const notified = (readers: readonly Reader[]) => onStreams(['user', 'user:notification'], 'notification', readers)

/** Merges several tables. */
export const joined = (...tables: Table[]): Table => {
  const all: Table = {}
  for (const table of tables) {
    for (const [stream, events] of Object.entries(table) as [keyof Table, Record<string, Reader[]>][]) {
      all[stream] = { ...all[stream], ...events }
    }
  }
  return all
}

export const EVERYONE: Reader[] = [...READERS]
