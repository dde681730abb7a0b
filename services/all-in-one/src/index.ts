export { openStorage } from '@rookery/media'
export { compose, type Rookery } from './compose.ts'
export { modulesConfig } from './config.ts'
