import { prepared } from '@rookery/database'
import { query } from '../../database/query.ts'

/** The language someone posts in by preference, else the one they signed up in. */
export const readReaderLanguage = prepared('translation.reader', ({ viewerId }: { viewerId: string }) =>
  query
    .selectFrom('account')
    .select(({ fn }) => fn.coalesce('locale', 'defaultLanguage').as('language'))
    .where('id', '=', viewerId),
)
