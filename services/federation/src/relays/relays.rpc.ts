import { type Relay, RelaysDefinition } from '@rookery/contracts/federation'
import { type Handler, handler } from '@rookery/rpc'
import { addRelay, type ChangeRelaysDeps, removeRelay } from './change-relays.ts'
import { type RelayRow, readRelays } from './relay.store.ts'

const viewOf = ({ id, inbox, state, createdAt }: RelayRow): Relay => ({ id, inbox, state, createdAtMilliseconds: createdAt.getTime() })

/** The calls of federation.v1.Relays. */
export const createRelaysRpc = (deps: ChangeRelaysDeps): Handler => {
  const add = addRelay(deps)
  const remove = removeRelay(deps)
  return handler(RelaysDefinition, {
    list: async () => ({ relays: (await readRelays(deps.database, {})).map(viewOf) }),
    add: async (_call, { inbox, staffId }) => viewOf(await add(inbox, staffId)),
    remove: async (_call, { id, staffId }) => viewOf(await remove(id, staffId)),
  })
}
