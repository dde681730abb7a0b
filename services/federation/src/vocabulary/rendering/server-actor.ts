import type { JsonObject } from '../reading/json.ts'
import { renderCollection } from './collection.ts'
import type { Places } from './places.ts'

const outboxOf = (at: Places): string => `${at.instanceActor}/outbox`

/** The instance actor, which signs requests that are not made for an account. Its handle is host@host. */
export const renderServerActor = (at: Places, publicKeyPem: string): JsonObject => ({
  id: at.instanceActor,
  type: 'Application',
  preferredUsername: at.hostname,
  url: at.about,
  inbox: at.sharedInbox,
  outbox: outboxOf(at),
  endpoints: { sharedInbox: at.sharedInbox },
  manuallyApprovesFollowers: true,
  publicKey: { id: at.key(at.instanceActor), owner: at.instanceActor, publicKeyPem },
})

/** The outbox of the instance actor, which publishes nothing. Servers read it because its actor names it. */
export const renderServerOutbox = (at: Places): JsonObject => renderCollection({ id: outboxOf(at), total: 0, hasPages: false })
