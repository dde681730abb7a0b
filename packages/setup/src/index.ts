export { readSetupConfig, type SetupConfig } from './config.ts'
export { prepare } from './prepare.ts'
