import {
  GraphDefinition,
  InteractionsDefinition,
  OutgoingDefinition,
  PollsDefinition,
  RemoteAccountsDefinition,
  RemoteStatusesDefinition,
  ReportsDefinition,
} from '@rookery/contracts/statuses'
import type { Call, Client, Definition } from '@rookery/rpc'

/** What activities ask of statuses. */
export const statusesClients = (client: <D extends Definition>(definition: D) => Client<D>) => ({
  remoteAccounts: client(RemoteAccountsDefinition),
  remoteStatuses: client(RemoteStatusesDefinition),
  outgoing: client(OutgoingDefinition),
  interactions: client(InteractionsDefinition),
  graph: client(GraphDefinition),
  polls: client(PollsDefinition),
  reports: client(ReportsDefinition),
})

export type ActivityClients = ReturnType<typeof statusesClients>

const CALL_MILLISECONDS = 15_000

/** A call of due work, which ends with the work. */
export const ownCall = (signal?: AbortSignal): Call => {
  const deadline = AbortSignal.timeout(CALL_MILLISECONDS)
  return { deadline: Date.now() + CALL_MILLISECONDS, signal: signal ? AbortSignal.any([deadline, signal]) : deadline, trace: 'federation' }
}
