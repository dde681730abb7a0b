import type { ServiceModule } from '../module.ts'
import type { Parts } from './declaration.ts'

/** The part with everything that no other part has. */
const REST = 'rest'

/** The share of a background process: some consumers and jobs, and for `rest` the relay. */
export type Share = Pick<ServiceModule, 'consumers' | 'jobs'> & { readonly hasRelay: boolean }

/** The fault of a part name that the service does not have. */
export const partFaults = (parts: Parts, part: string | undefined): string[] => {
  const names = [REST, ...Object.keys(parts)]
  return part === undefined || names.includes(part) ? [] : [`PART is ${part}; it must be one of ${names.join(', ')}`]
}

/**
 * Consumers by consumer group. Those of a part are one group, named after the workload that runs that part alone, e.g. statuses-fan-out, or
 * statuses-background for the rest. So a group is the same in whichever process its consumers run.
 */
export const groupsOf = <Consumer extends { readonly name: string }>(
  service: string,
  parts: Parts,
  consumers: readonly Consumer[],
): Map<string, Consumer[]> => {
  const partOf = (name: string) => Object.keys(parts).find((part) => parts[part]!.includes(name)) ?? 'background'
  return Map.groupBy(consumers, ({ name }) => `${service}-${partOf(name)}`)
}

/** A process's share of a module's background: everything, one part, or the rest. @throws Error when a part names neither a consumer nor a job */
export const shareOf = ({ consumers, jobs }: Pick<ServiceModule, 'consumers' | 'jobs'>, parts: Parts, part: string | undefined): Share => {
  const apart = new Set(Object.values(parts).flat())
  const known = new Set([...consumers, ...jobs].map(({ name }) => name))
  for (const name of apart) if (!known.has(name)) throw new Error(`No such consumer or job: ${name}.`)
  if (part === undefined) return { consumers, jobs, hasRelay: true }
  const own = new Set(parts[part])
  const isOwn = ({ name }: { name: string }) => (part === REST ? !apart.has(name) : own.has(name))
  return { consumers: consumers.filter(isOwn), jobs: jobs.filter(isOwn), hasRelay: part === REST }
}
