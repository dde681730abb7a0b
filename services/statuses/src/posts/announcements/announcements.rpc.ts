import {
  AnnouncementOperatorDefinition,
  AnnouncementsDefinition,
  type ChangeAnnouncementRequest,
  type CreateAnnouncementRequest,
  type OperatorAnnouncementRequest,
  StaffAnnouncementsDefinition,
} from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { type Call, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { announcementMessage, recordMessage } from './announcement.message.ts'
import { AnnouncementReader, type AnnouncementRow, dismiss, listShown } from './announcement.store.ts'
import {
  type AnnouncementDeps,
  changeAnnouncement,
  createAnnouncement,
  deleteAnnouncement,
  publishAnnouncement,
  withdrawAnnouncement,
} from './change-announcement.ts'
import { addReaction, removeReaction } from './react-to-announcement.ts'

/** Serves Announcements of the contract: for people. */
export const createAnnouncementsRpc = (deps: { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }): Handler => {
  const { database, clock } = deps
  const react = addReaction(deps)
  const remove = removeReaction(deps)
  return handler(AnnouncementsDefinition, {
    async list(_call, { viewerId, withDismissed }) {
      const rows = await listShown(database, { viewerId, withDismissed, now: new Date(clock.now()) })
      return { announcements: rows.map((row) => ({ ...announcementMessage(row), isRead: row.isRead })) }
    },
    async dismiss(_call, { id, viewerId }) {
      const [shown] = isId(id) ? await dismiss(database, { id, viewerId, now: new Date(clock.now()) }) : []
      if (!shown) throw notFound(`no announcement ${id} is shown`)
      return {}
    },
    async react(call, request) {
      await react(call, request)
      return {}
    },
    async removeReaction(call, request) {
      await remove(call, request)
      return {}
    },
  })
}

/** The calls of operators and staff. */
const managing = (deps: AnnouncementDeps) => {
  const recordOf = (row: AnnouncementRow) => recordMessage(row, deps.clock.now())
  const create = createAnnouncement(deps)
  const change = changeAnnouncement(deps)
  const publish = publishAnnouncement(deps)
  const withdraw = withdrawAnnouncement(deps)
  const remove = deleteAnnouncement(deps)
  return {
    list: async () => ({ announcements: (await new AnnouncementReader(deps.database.db).latest()).map(recordOf) }),
    create: async (call: Call, request: CreateAnnouncementRequest) => recordOf(await create(call, request)),
    change: async (call: Call, request: ChangeAnnouncementRequest) => recordOf(await change(call, request)),
    publish: async (call: Call, request: OperatorAnnouncementRequest) => recordOf(await publish(call, request)),
    withdraw: async (call: Call, request: OperatorAnnouncementRequest) => recordOf(await withdraw(call, request)),
    delete: async (call: Call, request: OperatorAnnouncementRequest) => recordOf(await remove(call, request)),
  }
}

/** Serves AnnouncementOperator of the contract, on the operator's socket only. */
export const createAnnouncementOperatorRpc = (deps: AnnouncementDeps): Handler => handler(AnnouncementOperatorDefinition, managing(deps))

/** Serves StaffAnnouncements of the contract. */
export const createStaffAnnouncementsRpc = (deps: AnnouncementDeps): Handler => handler(StaffAnnouncementsDefinition, managing(deps))
