export { readTag } from './read-tags.ts'
export { tagOf } from './tag.rules.ts'
export { type NamedTag, type TagRecord, TagWriter } from './tag.store.ts'
export { tagViews } from './tag.views.ts'
