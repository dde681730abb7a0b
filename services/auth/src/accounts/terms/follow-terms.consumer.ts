import { type Consumer, consumer } from '@rookery/events'
import type { AuthTables } from '../../database/schema.ts'
import { TermsVersionWriter } from './terms-version.store.ts'

/** Keeps a copy of the versions of the terms of service, so that the sign-up page needs no call to federation. */
export const followTerms = (): Consumer<AuthTables> =>
  consumer({
    name: 'auth.terms',
    topic: 'federation.v1',
    kinds: ['termsPublished', 'termsDeleted'],
    isUnhurried: true,
    async handle(tx, received) {
      const versions = new TermsVersionWriter(tx)
      for (const { event } of received) {
        const { effectiveOn } = event.value
        await (event.$case === 'termsPublished' ? versions.add(effectiveOn) : versions.remove(effectiveOn))
      }
    },
  })
