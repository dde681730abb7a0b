import type { JsonObject } from '../reading/json.ts'
import type { Places } from './places.ts'

/** The server as an actor of its own, which signs what no person asks for. Its handle is the host at the host. */
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
