import { prepared } from '@rookery/database'
import { query } from '../../database/query.ts'

/** The language of the viewer's interface, else their default language for posts. */
export const readReaderLanguage = prepared('translation.reader', ({ viewerId }: { viewerId: string }) =>
  query
    .selectFrom('account')
    .select(({ fn }) => fn.coalesce('locale', 'defaultLanguage').as('language'))
    .where('id', '=', viewerId),
)
