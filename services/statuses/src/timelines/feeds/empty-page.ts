import type { StatusPage } from '@rookery/contracts/statuses'

/** The page for a limit of 0. */
export const EMPTY_PAGE: StatusPage = { items: [], statuses: [], accounts: [], cursors: undefined, isRebuilding: false }
