import type { EventTables } from '@rookery/events'
import type { ConfiguredTextTable, InstanceTextTable, RuleTable } from '../instance/instance.tables.ts'
import type { PeerTable } from '../peers/peer.tables.ts'
import type { DomainBlockTable } from '../policy/domain-block.tables.ts'

/** The tables of the schema `federation`. */
export type FederationTables = EventTables & {
  instance_text: InstanceTextTable
  configured_text: ConfiguredTextTable
  rule: RuleTable
  peer: PeerTable
  domain_block: DomainBlockTable
}
