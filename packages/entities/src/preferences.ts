import type { Credentials } from '@rookery/contracts/statuses'

/**
 * Preferences (beyond-the-spec 1.1): what new posts begin with. How to read is for each client to say: the server keeps nothing of it and
 * answers as one does who left it as it was.
 */
export const preferencesEntity = ({ privacy, sensitive, language, quotePolicy }: Credentials) => ({
  'posting:default:visibility': privacy,
  'posting:default:sensitive': sensitive,
  'posting:default:language': language ?? null,
  'posting:default:quote_policy': quotePolicy,
  'reading:expand:media': 'default',
  'reading:expand:spoilers': false,
  'reading:autoplay:gifs': false,
})
