import { createTable } from '@rookery/barred-networks'

export const phase = 'expand'

/** The networks without access, as auth tells of them. */
export const up = createTable
