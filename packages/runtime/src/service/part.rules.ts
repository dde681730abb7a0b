import { ConfigurationError } from '../environment.ts'
import type { ServiceModule } from '../module.ts'
import type { Parts } from './declaration.ts'

/** All that is in no part. */
const REST = 'rest'

/** What a background process does: some consumers, and with the rest the relay and the jobs. */
export type Share = Pick<ServiceModule, 'consumers' | 'jobs'> & { readonly hasRelay: boolean }

/** @throws ConfigurationError when the service has no such part */
export const refuseUnknownPart = (parts: Parts, part: string | undefined): void => {
  const names = [REST, ...Object.keys(parts)]
  if (part !== undefined && !names.includes(part)) throw new ConfigurationError([`PART is ${part}, and there are ${names.join(', ')}`])
}

/** A process's share of a module's background: everything, one part, or the rest. @throws Error when a part names no consumer */
export const shareOf = ({ consumers, jobs }: Pick<ServiceModule, 'consumers' | 'jobs'>, parts: Parts, part: string | undefined): Share => {
  const apart = new Set(Object.values(parts).flat())
  for (const name of apart) if (!consumers.some((each) => each.name === name)) throw new Error(`There is no consumer ${name}.`)
  if (part === undefined) return { consumers, jobs, hasRelay: true }
  if (part === REST) return { consumers: consumers.filter(({ name }) => !apart.has(name)), jobs, hasRelay: true }
  return { consumers: consumers.filter(({ name }) => parts[part]?.includes(name)), jobs: [], hasRelay: false }
}
