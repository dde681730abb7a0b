import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FailedJobsDefinition } from '@rookery/contracts/events'
import { handler } from '@rookery/rpc'
import { type Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OperatorSocket, openOperatorSocket } from './operator-socket.ts'

// The acts of staff on their pages, as commands against a running server.

let world: World
let socket: OperatorSocket
let owner: Person

beforeAll(async () => {
  world = await World.open()
  owner = await world.owner('owner')
  socket = await openOperatorSocket(...world.rookery.operator)
})
afterAll(async () => {
  await socket.close()
  await world.close()
})

const run = async (...words: string[]): Promise<string[]> => {
  const { code, printed, complained } = await socket.run(...words)
  expect({ code, complained }).toEqual({ code: 0, complained: [] })
  return printed
}
const refused = async (...words: string[]): Promise<string[]> => {
  const { code, complained } = await socket.run(...words)
  expect(code).toBe(1)
  return complained
}
const json = async (...words: string[]) => JSON.parse((await run(...words, '--json'))[0] ?? '')
const file = (name: string) => join(socket.folder, name)

test('an account with a role that is made by command is in the log', async () => {
  await run('accounts', 'create', 'helper', '--email', 'helper@example.org', '--role', 'moderator', '--confirmed')
  await run('accounts', 'create', 'member', '--email', 'member@example.org', '--confirmed')
  const [act, before] = await json('audit', 'list', '--limit', '2')
  expect(act).toMatchObject({ action: 'create_account', staffId: '', username: 'helper', text: 'moderator' })
  expect(before?.username).not.toBe('member')
})

test('the log names an account that was deleted by what it was called', async () => {
  await run('accounts', 'create', 'leaver', '--email', 'leaver@example.org', '--confirmed')
  await run('accounts', 'delete', 'leaver', '--confirm', 'leaver')
  await world.advance(0)
  expect((await run('audit', 'list', '--limit', '1'))[0]).toMatch(/operator {2}delete {2}leaver$/)
})

test('the log is read from an act on, and so many acts', async () => {
  const [latest, before] = await json('audit', 'list')
  expect(await json('audit', 'list', '--before', latest.id, '--limit', '1')).toEqual([before])
  for (const wrong of ['abc', '-5', '9'.repeat(30)]) {
    expect(await refused('audit', 'list', '--before', wrong)).toEqual(['--before takes the id of an act.'])
  }
  for (const wrong of ['abc', '-5', '0', '1.5']) {
    expect(await refused('audit', 'list', '--limit', wrong)).toEqual(['--limit takes a whole number above 0.'])
  }
  expect(await json('audit', 'list', '--limit', '99999999999')).toContainEqual(latest)
})

test('what is taken back from an account that is not so is refused, and not in the log', async () => {
  await world.person('steady')
  const states: [string, string, string][] = [
    ['disable', 'enable', 'disabled'],
    ['silence', 'unsilence', 'silenced'],
    ['suspend', 'unsuspend', 'suspended'],
    ['memorial', 'unmemorial', 'a memorial'],
  ]
  for (const [begins, ends, word] of states) {
    const [{ id: before }] = await json('audit', 'list', '--limit', '1')
    expect(await refused('accounts', ends, 'steady')).toEqual([`The account is not ${word}`])
    expect((await json('audit', 'list', '--limit', '1'))[0].id).toBe(before)
    await run('accounts', begins, 'steady')
    await run('accounts', ends, 'steady')
  }
})

describe('statuses', () => {
  test('are marked as sensitive and deleted', async () => {
    const person = await world.person('poster')
    const [one, two] = [await person.says('one'), await person.says('two')]
    expect(await run('statuses', 'mark-sensitive', one.id)).toEqual([`Marked as sensitive: ${one.id}.`])
    expect((await owner.get(`/api/v1/statuses/${one.id}`)).body.sensitive).toBe(true)
    expect(await json('statuses', 'delete', one.id, two.id, '--text', 'spam')).toEqual({ statusIds: [one.id, two.id] })
    expect((await owner.get(`/api/v1/statuses/${two.id}`)).status).toBe(404)
    expect((await run('audit', 'list', '--limit', '1'))[0]).toContain('operator  delete_statuses  poster')
    expect(await refused('statuses', 'delete', one.id)).toHaveLength(1)
  })
})

describe('domains', () => {
  test('are limited, changed, exported and let go', async () => {
    expect(await run('domains', 'list')).toEqual(['No domain is limited.'])
    expect(await run('domains', 'block', 'Loud.Example', '--public-comment', 'loud, "very"')).toEqual(['loud.example is limited: silence.'])
    expect(await refused('domains', 'block', 'loud.example')).toEqual(['loud.example is limited as strictly already.'])
    expect(await run('domains', 'change', 'loud.example', '--severity', 'suspend', '--reject-media')).toEqual([
      'loud.example is limited: suspend, rejects media.',
    ])
    expect((await owner.get('/api/v1/admin/domain_blocks')).body).toMatchObject([
      { domain: 'loud.example', severity: 'suspend', reject_media: true, public_comment: 'loud, "very"' },
    ])
    await run('domains', 'export', file('blocks.csv'))
    const csv =
      '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\nloud.example,suspend,true,false,"loud, ""very""",false\n'
    expect(await readFile(file('blocks.csv'), 'utf8')).toBe(csv)
    expect((await run('domains', 'export')).join('\n')).toBe(csv.trim())
    expect(await json('domains', 'list')).toMatchObject([{ domain: 'loud.example', severity: 'suspend' }])
    expect(await run('domains', 'unblock', 'loud.example')).toEqual(['loud.example is not limited any more.'])
    expect(await refused('domains', 'unblock', 'loud.example')).toEqual(['loud.example is not on the list.'])
    expect(await refused('domains', 'block', 'a.example', '--obfuscate', '--show')).toEqual([
      'Take one of two options that contradict each other.',
    ])
  })

  test('are taken from a list, which a job works off', async () => {
    await writeFile(file('list.txt'), 'one.example\ntwo.example\nnot a domain\n')
    const [{ id }] = [await json('domains', 'import', file('list.txt'))]
    await world.advance(0)
    expect(await run('domains', 'imports')).toEqual([`${id}\tfinished\t0 known\t1 not understood`])
    expect((await run('domains', 'list')).map((line) => line.split('\t')[0]).sort()).toEqual(['one.example', 'two.example'])
  })

  test('are allowed and taken off the list', async () => {
    expect(await run('domains', 'allow', 'tea.example')).toEqual(['tea.example is allowed.'])
    expect(await run('domains', 'allowed')).toEqual(['tea.example'])
    expect(await run('domains', 'disallow', 'tea.example')).toEqual(['tea.example is not allowed any more.'])
    expect(await run('domains', 'allowed')).toEqual(['No domain is allowed.'])
  })
})

describe('addresses', () => {
  test('of e-mail providers are blocked and let go', async () => {
    expect(await run('addresses', 'block-email-domain', 'junk.example')).toEqual(['junk.example is blocked.'])
    expect(await run('addresses', 'email-domains')).toEqual(['junk.example\t0'])
    expect(await run('addresses', 'unblock-email-domain', 'junk.example')).toEqual(['junk.example is not blocked any more.'])
    expect(await run('addresses', 'email-domains')).toEqual(['Nothing is blocked.'])
  })

  test('of networks are blocked for a time, changed and let go', async () => {
    expect(await run('addresses', 'block-network', '192.0.2.0/24', '--hours', '2', '--comment', 'wave')).toEqual([
      '192.0.2.0/24 is blocked: sign_up_block.',
    ])
    const [line] = await run('addresses', 'change-network', '192.0.2.0/24', '--severity', 'no_access', '--hours', '0')
    expect(line).toBe('192.0.2.0/24\tno_access\tfor good\twave')
    expect(await refused('addresses', 'block-network', '192.0.2.1', '--hours', 'soon')).toEqual(['--hours takes a whole number.'])
    expect(await run('addresses', 'unblock-network', '192.0.2.0/24')).toEqual(['192.0.2.0/24 is not blocked any more.'])
  })

  test('of mailboxes are blocked however they are spelled', async () => {
    const [said = ''] = await run('addresses', 'block-mailbox', 'tea@example.org')
    expect(said).toMatch(/^Mailbox \d+ is blocked\.$/)
    expect((await run('addresses', 'test-mailbox', 'T.E.A+x@example.org'))[0]).toMatch(/^It is blocked/)
    expect((await run('addresses', 'unblock-mailbox', 'tea@example.org'))[0]).toMatch(/is not blocked any more/)
    expect(await run('addresses', 'test-mailbox', 'tea@example.org')).toEqual(['It is not blocked.'])
    expect(await refused('addresses', 'block-mailbox', 'nope')).toEqual(['nope is neither an address nor the hash of one.'])
  })
})

describe('what the server says of itself', () => {
  test('is changed, also by a file, and follows the environment again', async () => {
    const environments = (await json('settings', 'list')).find(({ name }: { name: string }) => name === 'title').value
    expect(await run('settings', 'set', 'title', 'Birds')).toEqual(['title\tstored\tBirds'])
    expect((await world.get('/api/v2/instance')).body.title).toBe('Birds')
    await writeFile(file('policy.txt'), '# Ours\n\nNothing is kept.\n')
    await run('settings', 'set', 'privacy_policy', file('policy.txt'), '--file')
    expect((await world.get('/api/v1/instance/privacy_policy')).body.content).toBe('<h2>Ours</h2>\n<p>Nothing is kept.</p>')
    expect((await run('settings', 'set', 'title', environments))[0]).toContain('\tenvironment\t')
    expect((await refused('settings', 'set', 'tea', 'x'))[0]).toMatch(/^Names are title, /)
  })

  test('has a contact who has an account', async () => {
    expect(await refused('settings', 'set', 'contact_account', 'no_one')).toEqual(['Validation failed: Contact account does not exist'])
    expect(await run('settings', 'set', 'contact_account', '@Owner')).toEqual(['contact_account\tstored\tOwner'])
    expect((await run('settings', 'set', 'contact_account', ''))[0]).toContain('\tenvironment\t')
  })

  test('has a picture of a file, a color, and both as they came again', async () => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await writeFile(file('picture.png'), Buffer.from(pixel, 'base64'))
    const before = (await world.get('/api/v2/instance')).body.thumbnail.url
    expect(await run('settings', 'picture', 'thumbnail', file('picture.png'))).toEqual([
      expect.stringMatching(/^thumbnail\timage\/\w+\t1 × 1$/),
    ])
    expect((await world.get('/api/v2/instance')).body.thumbnail.url).not.toBe(before)
    expect(await run('settings', 'set', 'color', '#336699')).toEqual(['color\tstored\t#336699'])
    expect((await world.get('/manifest.json')).body.theme_color).toBe('#336699')
    expect(await refused('settings', 'picture', 'thumbnail')).toEqual(['Name a file, or --reset.'])
    for (const operands of [['tea', file('picture.png')], ['tea']])
      expect(await refused('settings', 'picture', ...operands)).toEqual(['There is no picture tea: it is thumbnail or icon.'])
    expect(await refused('settings', 'picture', 'icon', file('none.png'))).toEqual([`There is no file ${file('none.png')}.`])
    expect(await refused('settings', 'picture', 'icon', socket.folder)).toEqual([`${socket.folder} is a folder.`])
    expect(await refused('domains', 'import', file('picture.png'))).toEqual([`${file('picture.png')} is no text in UTF-8.`])
    expect(await json('settings', 'picture', 'thumbnail', '--reset')).toEqual([])
    expect((await world.get('/api/v2/instance')).body.thumbnail.url).toBe(before)
  })

  test('has rules', async () => {
    const [line = ''] = (await run('rules', 'add', 'Be kind', '--hint', 'to all')).slice(-1)
    const [id = ''] = line.split('\t')
    expect(line).toBe(`${id}\tBe kind\tto all`)
    expect((await run('rules', 'change', id, 'Be very kind')).at(-1)).toBe(`${id}\tBe very kind\tto all`)
    expect((await run('rules', 'change', id, 'Be very kind', '--hint', '')).at(-1)).toBe(`${id}\tBe very kind\t`)
    await run('rules', 'remove', id)
    expect((await run('rules', 'list')).join()).not.toContain('Be very kind')
    for (const none of ['abc', '-1', '9'.repeat(30)]) {
      expect(await refused('rules', 'change', '--', none, 'Be kind')).toEqual(['Record not found'])
      expect(await refused('rules', 'remove', '--', none)).toEqual(['Record not found'])
    }
  })

  test('has terms of service by the day from which they hold', async () => {
    expect(await run('terms', 'list')).toEqual(['There are no terms of service.'])
    await writeFile(file('terms.txt'), 'Be kind.')
    const today = new Date(world.clock.now()).toISOString().slice(0, 10)
    expect(await run('terms', 'publish', file('terms.txt'))).toEqual([`${today}\tin force\t8 characters`])
    expect((await run('terms', 'publish', file('terms.txt'), '--from', '2999-01-01'))[0]).toBe('2999-01-01\tto come\t8 characters')
    expect(await run('terms', 'remove', '2999-01-01')).toHaveLength(1)
    expect(await run('terms', 'remove', today)).toEqual(['There are no terms of service.'])
  })
})

test('jobs that failed for good are listed, tried again and discarded', async () => {
  const job = { id: 'media:3', job: 'process-motion', attempts: 12, error: 'no room\nat line 1', failedAtMilliseconds: 0 }
  const asked: string[] = []
  const answers = (act: string) => (ids: readonly string[]) => {
    asked.push(`${act} ${ids.join(' ')}`)
    return { count: ids.length || 4 }
  }
  const jobs = handler(FailedJobsDefinition, {
    list: async () => ({ jobs: [job] }),
    retry: async (_call, { ids }) => answers('retry')(ids),
    discard: async (_call, { ids }) => answers('discard')(ids),
  })
  const other = await openOperatorSocket(jobs)
  try {
    expect((await other.run('jobs', 'list')).printed).toEqual([
      'media:3  1970-01-01T00:00:00.000Z  process-motion  12 tries  no room'.replaceAll('  ', '\t'),
    ])
    expect((await other.run('jobs', 'retry', 'media:3')).printed).toEqual(['1 due again.'])
    expect((await other.run('jobs', 'discard', '--all')).printed).toEqual(['4 discarded.'])
    expect((await other.run('jobs', 'retry')).complained).toEqual(['Name either a job or --all.'])
    expect(asked).toEqual(['retry media:3', 'discard '])
  } finally {
    await other.close()
  }
  expect(await run('jobs', 'list')).toEqual(['No job has failed for good.'])
})

test.each([['domains'], ['addresses'], ['settings'], ['rules'], ['terms'], ['jobs']])(
  'rookery %s --help names its commands',
  async (group) => {
    const { code, printed } = await socket.run(group, '--help')
    expect([code, printed.join('\n')]).toEqual([0, expect.stringContaining(`Usage: rookery ${group}`)])
  },
)

describe('apps', () => {
  test('are listed and removed', async () => {
    const made = await world.asks('POST', '/api/v1/apps', { body: { client_name: 'Samovar', redirect_uris: 'tea://done' } })
    expect(made.status).toBe(200)
    const [app] = await json('apps', 'list', '--query', 'samovar')
    expect(app).toMatchObject({ name: 'Samovar', redirectUris: ['tea://done'], tokens: 0, isOperators: false })
    expect((await run('apps', 'list'))[0]).toMatch(/^\d+\t.*\t0\tread\tSamovar\t$/)
    expect(await run('apps', 'remove', app.id)).toEqual(['Samovar is removed.'])
    expect(await refused('apps', 'remove', app.id)).toHaveLength(1)
    expect(await json('apps', 'list', '--query', 'samovar')).toEqual([])
    const [operators] = await json('apps', 'list', '--query', 'rookery command')
    expect(await refused('apps', 'remove', operators.id)).toEqual([expect.stringContaining('cannot be removed')])
    expect((await run('audit', 'list', '--limit', '1'))[0]).toContain(`operator  remove_app  Samovar ${app.id}`)
  })
})
