export { openStorage } from '@rookery/media'
export { type ComposeGiven, compose, type Rookery, type RookeryConfig } from './compose.ts'
export { modulesConfig } from './config.ts'
