import type { ActorAddresses } from '../addresses.ts'
import type { JsonObject } from '../contract.ts'

const CONTEXT = ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1']

/** The server as an actor of its own, which signs what no person asks for. Its handle is the host at the host. */
export const serverActor = (
  addresses: ActorAddresses,
  { baseUrl, publicKeyPem }: { baseUrl: string; publicKeyPem: string },
): JsonObject => ({
  '@context': CONTEXT,
  id: addresses.server,
  type: 'Application',
  preferredUsername: new URL(baseUrl).hostname,
  url: `${baseUrl}/about`,
  inbox: addresses.sharedInbox,
  outbox: `${addresses.server}/outbox`,
  endpoints: { sharedInbox: addresses.sharedInbox },
  manuallyApprovesFollowers: true,
  publicKey: { id: addresses.serverKey, owner: addresses.server, publicKeyPem },
})
