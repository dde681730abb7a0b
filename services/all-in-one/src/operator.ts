import { join } from 'node:path'

/** Where the operator's command finds the server: a socket in the data folder, which only its owner can reach. */
export const operatorAddress = (dataDir: string): string => `unix:${join(dataDir, 'operator.sock')}`
