export { leaveLists, replaceOnLists } from './change-members.ts'
export { createListsRpc } from './lists.rpc.ts'
export { readList } from './read-lists.ts'
