import { PAGE_SIZES } from '@rookery/contracts/limits'
import { ListsDefinition } from '@rookery/contracts/statuses'
import { type Database, pageWithin } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { changeList, createList, deleteList } from './change-list.ts'
import { addMembers, removeMembers } from './change-members.ts'
import { readList, readListMembers, readLists } from './read-lists.ts'

type Deps = { database: Database<StatusesTables>; views: Views; outbox: Outbox; clock: Clock }

/** Serves Lists of the contract: lists and their members; their statuses are a timeline. */
export const createListsRpc = (deps: Deps): Handler => {
  const create = createList(deps)
  const change = changeList(deps)
  const remove = deleteList(deps)
  const read = readList(deps)
  const readAll = readLists(deps)
  const readMembers = readListMembers(deps)
  const add = addMembers(deps)
  const drop = removeMembers(deps)
  return handler(ListsDefinition, {
    create,
    change: (_call, request) => change(request),
    delete: async (call, request) => {
      await remove(call, request)
      return {}
    },
    read: (_call, request) => read(request),
    readAll: async (_call, request) => ({ lists: await readAll(request) }),
    readMembers: (_call, request) => readMembers(request, pageWithin(PAGE_SIZES.people, request.page ?? { limit: 0 })),
    addMembers: async (call, request) => {
      await add(call, request, request.accountIds)
      return {}
    },
    removeMembers: async (_call, request) => {
      await drop(request, request.accountIds)
      return {}
    },
  })
}
