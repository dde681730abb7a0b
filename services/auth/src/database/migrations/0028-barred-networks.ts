import { createTable } from '@rookery/barred-networks'

export const phase = 'expand'

/** The networks without access as services were last told of them. */
export const up = createTable
