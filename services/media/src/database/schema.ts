import type { BarredNetworksTable } from '@rookery/barred-networks'
import type { EventTables } from '@rookery/events'
import type { AttachmentTable } from './tables/attachment.ts'
import type { DiscardedFileTable } from './tables/discarded-file.ts'
import type { EndedSubjectTable } from './tables/ended-subject.ts'
import type { RemoteDomainTable, RemoteFileTable, RemoteHostTable, ServerKeyTable } from './tables/remote-file.ts'
import type { WithheldOwnerTable } from './tables/withheld-owner.ts'

/** The tables of the schema `media`. */
export type MediaTables = EventTables & {
  barredNetworks: BarredNetworksTable
  attachment: AttachmentTable
  discardedFile: DiscardedFileTable
  endedSubject: EndedSubjectTable
  remoteFile: RemoteFileTable
  remoteDomain: RemoteDomainTable
  remoteHost: RemoteHostTable
  serverKey: ServerKeyTable
  withheldOwner: WithheldOwnerTable
}
