export { readTag } from './read-tags.ts'
export { tagOf } from './tag.rules.ts'
export { type NamedTag, TagWriter } from './tag.store.ts'
export { type TagViews, tagViews } from './tag.views.ts'
