export { compose, type Rookery } from './compose.ts'
export { modulesConfig } from './config.ts'
export { SCHEMAS } from './services.ts'
