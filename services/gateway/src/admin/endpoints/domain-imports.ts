import { readFile } from 'node:fs/promises'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { domainLines } from '@rookery/domain-names'
import { invalid } from '@rookery/failures'
import { Staff } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'

// Staff endpoints for lists of domains as files. The client API has none, so these are on no public route.

const PATH = '/admin/domains/imports'

/** Maximum bytes of a list: more than 100,000 lines. */
export const MAX_LIST_BYTES = 16 * 1024 * 1024
const MAX_LINES = 200_000
/** Lines per call. */
const PART = 1000

export const listDomainImports = endpoint({
  method: 'GET',
  path: PATH,
  access: Staff(PERMISSIONS.manageFederation, 'admin:read'),
  summary: 'The latest lists of domains that were read in, with how far each is.',
  handle: async ({ call }, { domainImports }) => (await domainImports.list(call, {})).imports,
})

export const importDomains = endpoint({
  method: 'POST',
  path: PATH,
  access: Staff(PERMISSIONS.manageFederation, 'admin:write'),
  summary: 'Takes a list of domains to limit, which a job works off.',
  handle: async ({ call, files, viewerId }, { domainImports }) => {
    const file = files.get('list')
    const text = file ? await readFile(file.path, 'utf8') : ''
    const lines = domainLines(text)
      .take(MAX_LINES + 1)
      .toArray()
    if (lines.length === 0) throw invalid("File can't be blank")
    if (lines.length > MAX_LINES) throw invalid(`File has too many lines (maximum is ${MAX_LINES})`)
    const { id } = await domainImports.create(call, { staffId: viewerId })
    for (let first = 0; first < lines.length; first += PART) {
      await domainImports.append(call, { id, first, lines: lines.slice(first, first + PART) })
    }
    await domainImports.start(call, { id, staffId: viewerId })
    return { id }
  },
})
