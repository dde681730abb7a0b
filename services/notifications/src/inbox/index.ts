export { asksForNothing, filterOf } from './inbox.filter.ts'
export { reportsOf, shownRows, viewsOf, visibleRows } from './inbox.rules.ts'
export { type About, type InboxFilter, InboxWriter } from './inbox.store.ts'
export { type Hydrated, hydrate, referencesOf } from './inbox.views.ts'
