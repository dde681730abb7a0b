export { leaveLists, replaceOnLists } from './change-members.ts'
export { readList } from './read-lists.ts'
