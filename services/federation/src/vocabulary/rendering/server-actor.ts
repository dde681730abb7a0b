import type { JsonObject } from '../reading/json.ts'
import type { Places } from './places.ts'

/** The instance actor, which signs requests that are not made for an account. Its handle is host@host. */
export const renderServerActor = (at: Places, publicKeyPem: string): JsonObject => ({
  id: at.instanceActor,
  type: 'Application',
  preferredUsername: at.hostname,
  url: at.about,
  inbox: at.sharedInbox,
  outbox: `${at.instanceActor}/outbox`,
  endpoints: { sharedInbox: at.sharedInbox },
  manuallyApprovesFollowers: true,
  publicKey: { id: at.key(at.instanceActor), owner: at.instanceActor, publicKeyPem },
})
