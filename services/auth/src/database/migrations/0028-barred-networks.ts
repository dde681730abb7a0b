import { createTable } from '@rookery/barred-networks'

export const phase = 'expand'

/** The list of networks without access that was published last. */
export const up = createTable
