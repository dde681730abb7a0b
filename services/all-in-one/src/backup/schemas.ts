import { knownSteps } from '@rookery/database'
import { eventMigrations } from '@rookery/events'
import { jobSchema } from '@rookery/jobs'
import type { ServiceSchema } from '@rookery/runtime'
import type pg from 'pg'
import { readJobSteps, readSteps } from './catalog.store.ts'

/** The schemas of a service: its own, and that of its jobs if it has any. */
export const schemasOf = ({ name }: ServiceSchema): string[] => [name, jobSchema(name)]

const setsOf = ({ migrations }: ServiceSchema) => [eventMigrations, migrations]

/** The steps of a service's schema in this version; those of its jobs are known only once they ran. */
export const ownSteps = (service: ServiceSchema): string[] =>
  setsOf(service).flatMap((set) => knownSteps(set).map((step) => `${set.name}/${step}`))

/** The steps that ran in a service's schemas. */
export const stepsOf = async (client: pg.Client, service: ServiceSchema): Promise<string[]> => {
  const sets = setsOf(service).map(({ name }) => name)
  return [...(await readSteps(client, service.name, sets)), ...(await readJobSteps(client, jobSchema(service.name)))]
}

/** The steps that are not of jobs. */
export const withoutJobs = (steps: readonly string[]): string[] => steps.filter((step) => !step.startsWith('jobs/'))
