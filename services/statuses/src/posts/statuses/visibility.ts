import { Visibility } from '@rookery/contracts/statuses'

const NAMES: Record<Visibility, string> = {
  [Visibility.UNSPECIFIED]: '',
  [Visibility.PUBLIC]: 'public',
  [Visibility.UNLISTED]: 'unlisted',
  [Visibility.PRIVATE]: 'private',
  [Visibility.DIRECT]: 'direct',
}

/** The API's word for a visibility, as used in events. */
export const visibilityName = (visibility: Visibility): string => NAMES[visibility]
