import { createTable } from '@rookery/barred-networks'

export const phase = 'expand'

/** The list of networks without access, as auth published it. */
export const up = createTable
