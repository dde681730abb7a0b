import { statement } from '@rookery/database'

/** The language somebody posts in by preference, else the one they signed up in. */
export const readReaderLanguage = statement<[language: string | null]>(
  'translation.reader',
  'select coalesce(locale, default_language) from account where id = $1',
)
