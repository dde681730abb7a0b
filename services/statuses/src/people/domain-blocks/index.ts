export { domainName } from './domain.rules.ts'
