import type { Generated } from 'kysely'

/** A relay passes public statuses on. `followUri` is the activity that asked it for a subscription; `actorUri` is the actor that accepted. */
export type RelayTable = {
  id: Generated<string>
  inbox: string
  followUri: string
  state: 'pending' | 'accepted' | 'rejected'
  actorUri: string | null
  createdAt: Date
}
