import type { Credentials } from '@rookery/contracts/statuses'

type Preferred = Pick<Credentials, 'privacy' | 'sensitive' | 'language' | 'quotePolicy' | 'expandMedia' | 'expandSpoilers' | 'autoplayGifs'>

/** Preferences (beyond-the-spec 1.1): defaults for new posts and for reading. */
export const preferencesEntity = ({ privacy, sensitive, language, quotePolicy, ...reading }: Preferred) => ({
  'posting:default:visibility': privacy,
  'posting:default:sensitive': sensitive,
  'posting:default:language': language ?? null,
  'posting:default:quote_policy': quotePolicy,
  'reading:expand:media': reading.expandMedia || 'default',
  'reading:expand:spoilers': reading.expandSpoilers,
  'reading:autoplay:gifs': reading.autoplayGifs,
})
