export { readSetupConfig } from './config.ts'
export { prepare } from './prepare.ts'
