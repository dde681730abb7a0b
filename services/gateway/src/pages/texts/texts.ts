/** The texts of the public pages in one language. */
export type Texts = {
  followers: string
  following: string
  posts: string
  noPosts: string
  joined(day: string): string
  moved: string
  memorial: string
  suspended: string
  boosted(name: string): string
  edited: string
  sensitive: string
  /** The label of a link to an image without a description. */
  picture: string
  /** The counters of a profile, after the number. */
  counted: Record<'posts' | 'followers' | 'following', Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>
  /** The label of automated accounts. */
  bot: string
  pinned: string
  /** The label of the link to a feed. */
  feed: string
  profileOf(name: string): string
  votes(count: string): string
  poll: { ends(moment: string): string; ended(moment: string): string; several: string }
  counts(given: { replies: string; reblogs: string; favourites: string }): string
  notFound: { title: string; text: string }
  throttled: { title: string; text: string }
  unavailable: { title: string; text: string }
  fault: { title: string; text: string }
  /** The label of the link on error pages. */
  home: string
  terms: { title: string; since: (day: string) => string; from: (day: string) => string; next: (day: string) => string }
  nav: { label: string; explore: string; directory: string; about: string; privacy: string; account: string }
  tabs: { label: string; posts: string; withReplies: string; media: string }
  noPeople: string
  hiddenPeople: string
  tag: {
    taggedBy(tag: string, name: string): string
    use(given: { posts: string; people: string }): string
    unused: { title: string; text: string }
  }
  pager: { label: string; older: string; more: string; latest: string }
  directory: { lead: string; sort: string; active: string; newest: string }
  explore: { lead: string }
  about: {
    lead: string
    rules: string
    contact: string
    noContact: string
    people: string
    blocks: { title: string; lead: string; severities: Record<'silence' | 'suspend', string>; more(count: string): string }
  }
  policy: { title: string; changed(day: string): string }
  share: { title: string; lead: string; nothing: string; label: string; signIn: string }
  interaction: { title: string; lead: string; name: string; signIn: string }
  thread: { postBy(name: string): string; replies: string }
  trends: { tags: string; links: string; posts: string; latest: string }
  closed: { title: string; text: string }
  welcome: { lead: string; signIn: string; apps: string; signUp: string; account: string; api: string; instance: string }
}
