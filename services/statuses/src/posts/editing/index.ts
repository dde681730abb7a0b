export { isChanged } from './edit.rules.ts'
export { type EditableStatus, type Edited, EditWriter } from './edit.store.ts'
export { replaceContent } from './replace-content.ts'
