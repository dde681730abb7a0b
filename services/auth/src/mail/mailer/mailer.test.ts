import { startMailServer } from '@rookery/test-world/outside'
import { expect, test } from 'vitest'
import { noMailer, smtpMailer } from './mailer.ts'

test('a mail server that answers has no fault, and one that is gone says why', async () => {
  const server = await startMailServer()
  const mailer = smtpMailer({ smtpUrl: server.url.reveal(), from: 'no-reply@example.org' })
  expect(await mailer.fault()).toBeUndefined()
  await server.close()
  expect(await mailer.fault()).toContain('ECONNREFUSED')
})

test('a server without mail has no fault of it', async () => {
  expect(await noMailer.fault()).toBeUndefined()
})
