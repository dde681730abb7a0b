import type { DeadLetter, FailedJob } from '@rookery/contracts/events'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { invalid, notFound } from '@rookery/failures'
import type { Clients } from '../../clients.ts'
import { Staff } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'

// Staff endpoints for failed jobs and dead letters. The client API has none, so these are on no public route.

const PATH = '/admin/failed'
const access = Staff(PERMISSIONS.viewDevops, 'admin:write')

const SERVICES = ['auth', 'statuses', 'media', 'notifications', 'federation'] as const
type Service = (typeof SERVICES)[number]

const jobsOf = (clients: Clients, service: Service) => clients[`${service}Jobs`]
const lettersOf = (clients: Clients, service: Service) => clients[`${service}Letters`]

/** The service that the id of a job or dead letter begins with. @throws Failure not_found */
const serviceOf = (id: string): Service => {
  const found = SERVICES.find((name) => id.startsWith(`${name}:`))
  if (!found) throw notFound(`${id} is of no service`)
  return found
}

/** A service that does not answer is left out. */
const absent = () => undefined

const LIMIT = 50

/** Failed jobs and dead letters, the latest first, and the services that did not answer. */
export type FailedWork = { jobs: FailedJob[]; letters: DeadLetter[]; silent: string[] }

export const listFailedWork = endpoint({
  method: 'GET',
  path: PATH,
  access: Staff(PERMISSIONS.viewDevops, 'admin:read'),
  summary: 'Jobs that failed as often as they may, and events that a consumer could not act on.',
  handle: async ({ call }, clients): Promise<FailedWork> => {
    const answers = await Promise.all(
      SERVICES.map(async (service) => {
        const jobs = jobsOf(clients, service).list(call, { limit: LIMIT }).catch(absent)
        const letters = lettersOf(clients, service).list(call, { limit: LIMIT }).catch(absent)
        return { service, jobs: await jobs, letters: await letters }
      }),
    )
    return {
      jobs: answers.flatMap(({ jobs }) => jobs?.jobs ?? []).sort((one, other) => other.failedAtMilliseconds - one.failedAtMilliseconds),
      letters: answers.flatMap(({ letters }) => letters?.letters ?? []),
      silent: answers.filter(({ jobs, letters }) => !jobs || !letters).map(({ service }) => service),
    }
  },
})

const acting = (
  name: string,
  summary: string,
  act: (given: { call: Parameters<Clients['authJobs']['retry']>[0]; id: string }, clients: Clients, service: Service) => Promise<unknown>,
) =>
  endpoint({
    method: 'POST',
    path: `${PATH}/:work/${name}`,
    access,
    summary,
    handle: async ({ call, params }, clients) => {
      const id = params['work'] ?? ''
      await act({ call, id }, clients, serviceOf(id))
      return {}
    },
  })

export const retryJob = acting('retry-job', 'Makes a failed job due again.', ({ call, id }, clients, service) =>
  jobsOf(clients, service).retry(call, { ids: [id] }),
)
export const discardJob = acting('discard-job', 'Deletes a failed job.', ({ call, id }, clients, service) =>
  jobsOf(clients, service).discard(call, { ids: [id] }),
)
export const replayLetter = acting('replay', 'Has a dead letter acted on again.', async ({ call, id }, clients, service) => {
  const { failed } = await lettersOf(clients, service).replay(call, { ids: [id] })
  if (failed[0]) throw invalid(`It failed again: ${failed[0].error.split('\n')[0]}`)
})
export const discardLetter = acting('discard', 'Deletes a dead letter.', ({ call, id }, clients, service) =>
  lettersOf(clients, service).discard(call, { ids: [id], onlyUnreadable: false }),
)
