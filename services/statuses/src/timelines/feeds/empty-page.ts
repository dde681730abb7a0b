import type { StatusPage } from '@rookery/contracts/statuses'

/** The page of who asks for no statuses. */
export const EMPTY_PAGE: StatusPage = { items: [], statuses: [], accounts: [], cursors: undefined, isRebuilding: false }
