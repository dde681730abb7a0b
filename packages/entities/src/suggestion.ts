import { SuggestionSource } from '@rookery/contracts/statuses'

/** The API's words for the sources of suggestions, and those of older clients (beyond-the-spec 1.1). */
const WORDS: Record<SuggestionSource, { source: string; legacy: string } | undefined> = {
  [SuggestionSource.UNSPECIFIED]: undefined,
  [SuggestionSource.FEATURED]: { source: 'featured', legacy: 'staff' },
  [SuggestionSource.FRIENDS_OF_FRIENDS]: { source: 'friends_of_friends', legacy: 'past_interactions' },
  [SuggestionSource.MOST_FOLLOWED]: { source: 'most_followed', legacy: 'global' },
}

/** Suggestion (spec, Resources) without its account: `source`, for older clients, is the strongest reason. */
export const suggestionReasons = (sources: readonly SuggestionSource[]): { source: string; sources: string[] } => {
  const words = sources.flatMap((source) => WORDS[source] ?? [])
  return { source: words[0]?.legacy ?? 'global', sources: words.map(({ source }) => source) }
}
