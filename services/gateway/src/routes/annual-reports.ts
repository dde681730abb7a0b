import { notFound } from '@rookery/failures'
import { User } from '../http/access.ts'
import { endpoint, type Method } from '../http/endpoint.ts'

// Yearly reviews of an account's statuses. This server makes none, and answers accordingly: the list is empty, no account is eligible, and
// there is nothing to generate or to mark as read (beyond-the-spec 2.5).

const PATH = '/api/v1/annual_reports'

/** @throws Failure not_found if it is not a year */
const refuseOddYear = ({ year = '' }: Record<string, string>) => {
  if (!/^\d{4}$/.test(year)) throw notFound(`${year} is no year`)
}

export const listAnnualReports = endpoint({
  method: 'GET',
  path: PATH,
  access: User('read:accounts'),
  summary: 'Looks back at years; there are none.',
  handle: async () => ({ annual_reports: [], accounts: [], statuses: [] }),
})

export const readAnnualReportState = endpoint({
  method: 'GET',
  path: `${PATH}/:year/state`,
  access: User('read:accounts'),
  summary: 'Whether a look back at a year can be made: no.',
  handle: async ({ params }) => {
    refuseOddYear(params)
    return { state: 'ineligible' }
  },
})

const missing = (method: Method, path: string, scope: string, summary: string) =>
  endpoint({
    method,
    path,
    access: User(scope),
    summary,
    handle: async ({ params }) => {
      throw notFound(`no annual report of ${params['year']}`)
    },
  })

export const readAnnualReport = missing('GET', `${PATH}/:year`, 'read:accounts', 'A look back at a year; there is none.')
export const markAnnualReport = missing('POST', `${PATH}/:year/read`, 'write:accounts', 'Marks a look back as read; there is none.')
export const generateAnnualReport = missing('POST', `${PATH}/:year/generate`, 'write:accounts', 'Makes a look back; none can be made.')
