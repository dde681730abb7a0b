import type { BarredNetworksTable } from '@rookery/barred-networks'
import type { EventTables } from '@rookery/events'
import type { ActTable } from './tables/act.ts'
import type { DomainAllowTable } from './tables/domain-allow.ts'
import type { DomainBlockTable } from './tables/domain-block.ts'
import type { DomainImportLineTable, DomainImportTable } from './tables/domain-import.ts'
import type { FetchedThreadTable } from './tables/fetched-thread.ts'
import type {
  ConfiguredTextTable,
  InstancePictureTable,
  InstanceTextTable,
  RemovedRuleTable,
  RuleTable,
  TermsOfServiceTable,
} from './tables/instance.ts'
import type {
  ActorKeyTable,
  DeliveryTable,
  HostTable,
  OutboundActivityTable,
  ReceivedActivityTable,
  RemoteActorTable,
  ServerKeyTable,
} from './tables/other-servers.ts'
import type { PeerTable } from './tables/peer.ts'
import type { RelayTable } from './tables/relay.ts'

/** The tables of the schema `federation`. */
export type FederationTables = EventTables & {
  barredNetworks: BarredNetworksTable
  instanceText: InstanceTextTable
  configuredText: ConfiguredTextTable
  rule: RuleTable
  removedRule: RemovedRuleTable
  termsOfService: TermsOfServiceTable
  instancePicture: InstancePictureTable
  peer: PeerTable
  relay: RelayTable
  domainBlock: DomainBlockTable
  domainImport: DomainImportTable
  domainImportLine: DomainImportLineTable
  domainAllow: DomainAllowTable
  serverKey: ServerKeyTable
  actorKey: ActorKeyTable
  remoteActor: RemoteActorTable
  host: HostTable
  outboundActivity: OutboundActivityTable
  delivery: DeliveryTable
  receivedActivity: ReceivedActivityTable
  act: ActTable
  fetchedThread: FetchedThreadTable
}
