import { FailedJobsDefinition } from '@rookery/contracts/events'
import type { Database } from '@rookery/database'
import { type Consumer, deadLetterHandler, type EventTables } from '@rookery/events'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { discardFailedJobs, readFailedJobs, retryFailedJobs } from '@rookery/jobs'
import { type Handler, handler } from '@rookery/rpc'

/** A service with a schema: its consumers, and whether it has jobs. */
type ServiceWithWork = {
  readonly service: string
  readonly database: Pick<Database<EventTables>, 'db' | 'pool'>
  // biome-ignore lint/suspicious/noExplicitAny: each service's consumers know their own tables
  readonly consumers: readonly Consumer<any>[]
  readonly hasJobs: boolean
}

const DEFAULT_LIMIT = 40

type Change = typeof retryFailedJobs

/** The calls of staff and operators for jobs that used up their attempts. One handler serves all services of a process. */
const failedJobsHandler = (services: readonly ServiceWithWork[]): Handler => {
  const withJobs = services.filter(({ hasJobs }) => hasJobs)

  const change = async (ids: readonly string[], act: Change) => {
    if (ids.length === 0) {
      const counts = await Promise.all(withJobs.map(({ database, service }) => act(database.pool, service, null)))
      return { count: counts.reduce((sum, count) => sum + count, 0) }
    }
    let count = 0
    for (const typed of ids) {
      const [service, id = ''] = typed.split(':')
      const found = withJobs.find((each) => each.service === service)
      if (!found || !isId(id)) throw notFound(`no failed job ${typed}`)
      count += await act(found.database.pool, found.service, [id])
    }
    if (count === 0) throw notFound(`no failed job ${ids.join(', ')}`)
    return { count }
  }

  return handler(FailedJobsDefinition, {
    async list(_call, { limit }) {
      const read = async ({ database, service }: ServiceWithWork) => {
        const jobs = await readFailedJobs(database.pool, service, limit || DEFAULT_LIMIT)
        return jobs.map(({ id, failedAt, ...job }) => ({ ...job, id: `${service}:${id}`, failedAtMilliseconds: failedAt.getTime() }))
      }
      return { jobs: (await Promise.all(withJobs.map(read))).flat() }
    },
    retry: (_call, { ids }) => change(ids, retryFailedJobs),
    discard: (_call, { ids }) => change(ids, discardFailedJobs),
  })
}

/** The calls for work that failed for good: dead letters and failed jobs of services. */
export const failedWorkHandlers = (services: readonly ServiceWithWork[]): Handler[] => [
  deadLetterHandler(services.map(({ service, database, consumers }) => ({ service, db: database.db, consumers }))),
  failedJobsHandler(services),
]
