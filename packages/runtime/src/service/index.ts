export { runBackground } from './background.ts'
export { processSettings } from './config.ts'
export type { ServiceDeclaration, ServiceGiven, StatelessDeclaration } from './declaration.ts'
export { runServing } from './serve.ts'
