type Counted = (count: number) => string

/** The texts of the settings pages in one language. */
export type SettingsTexts = {
  profile: Record<'lead' | 'displayName' | 'note', string> & {
    rowName: Counted
    rowValue: Counted
    pictures: Record<'avatar' | 'header', string>
    flags: Record<
      'locked' | 'bot' | 'discoverable' | 'indexable' | 'hide_collections' | 'show_media' | 'show_media_replies' | 'show_featured',
      string
    >
  }
  preferences: Record<
    'lead' | 'privacy' | 'quotePolicy' | 'language' | 'anyLanguage' | 'sensitive' | 'expandMedia' | 'expandSpoilers' | 'autoplayGifs',
    string
  > & {
    expansions: Record<'default' | 'show_all' | 'hide_all', string>
    privacies: Record<'public' | 'unlisted' | 'private', string>
    quotePolicies: Record<'public' | 'followers' | 'nobody', string>
  }
  filters: Record<
    'lead' | 'none' | 'add' | 'title' | 'keywords' | 'moreKeywords' | 'keywordsHint' | 'action' | 'expiry' | 'keepExpiry' | 'over',
    string
  > & {
    contexts: Record<'home' | 'notifications' | 'public' | 'thread' | 'account', string>
    actions: Record<'warn' | 'hide' | 'blur', string>
    expiries: Counted
    statuses: Counted
  }
  tags: Record<'lead' | 'none' | 'add' | 'name' | 'follow' | 'unfollow', string>
  oldPosts: Record<
    | 'lead'
    | 'is_on'
    | 'days'
    | 'keep_direct'
    | 'keep_pinned'
    | 'keep_polls'
    | 'keep_media'
    | 'keep_favourited'
    | 'keep_bookmarked'
    | 'min_favourites'
    | 'min_boosts'
    | 'countHint',
    string
  >
  push: Record<'lead' | 'none', string> & { alerts(types: string): string; types: Record<string, string> }
}
