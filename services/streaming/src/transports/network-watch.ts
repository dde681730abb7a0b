import { setImmediate as turn } from 'node:timers/promises'
import type { BarredNetworks } from '@rookery/http'
import type { OpenChannels } from '../channels/open.ts'

/** After this many connections it yields to the event loop: an address is compared with thousands of networks at worst. */
const CONNECTIONS_A_TURN = 50

/** Closes the open connections of blocked networks. The list is not read while no connection is open. */
export const createNetworkWatch = ({ barred, open }: { barred: BarredNetworks; open: OpenChannels }): (() => Promise<void>) => {
  return async () => {
    if (open.connections().length === 0) return
    await barred.refresh()
    for (const [index, connection] of open.connections().entries()) {
      if (barred.includes(connection.person.address)) connection.end('network has no access')
      if (index % CONNECTIONS_A_TURN === CONNECTIONS_A_TURN - 1) await turn()
    }
  }
}
