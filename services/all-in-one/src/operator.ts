import { join } from 'node:path'

/** The address of the operator's calls: a socket in the data folder, which only its owner can access. */
export const operatorAddress = (dataDir: string): string => `unix:${join(dataDir, 'operator.sock')}`
