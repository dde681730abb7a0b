export { createRelaysRpc } from './relays.rpc.ts'
export { createRelays, type Relays } from './relays.ts'
