import { unavailable } from '@rookery/failures'
import { expect, it } from 'vitest'
import type { PartsDeps } from './read-parts.ts'
import { writeArchive } from './write-archive.ts'

it('throws to its reader when a part cannot be read', async () => {
  const away = new Proxy({}, { get: () => () => Promise.reject(unavailable()) })
  const given = { statuses: { accounts: away, dataExport: away, timelines: away }, render: {} } as unknown as PartsDeps
  await expect(Array.fromAsync(writeArchive(given)('1'))).rejects.toThrow('Service Unavailable')
})
