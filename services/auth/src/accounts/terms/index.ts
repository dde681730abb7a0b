import type { Database } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'
import { followTerms } from './follow-terms.consumer.ts'
import { TermsVersionReader } from './terms-version.store.ts'

/** The terms of service that people agree to at sign-up. */
export const createTerms = ({ database }: { database: Database<AuthTables> }) => {
  const reader = new TermsVersionReader(database.db)
  return {
    /** Whether there are any terms, in effect or not. */
    hasAny: () => reader.hasAny(),
    consumers: [followTerms()],
  }
}

export type Terms = ReturnType<typeof createTerms>
