import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { startMailServer } from '@rookery/test-world/outside'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { smtpMailer } from './mailer.ts'

// Fuzzes the replies of a mail server, with any bytes at any speed: sending succeeds or fails in time, and errors reveal no secrets.

const PASSWORD = 'pass+word/0'
const TO = 'mara@example.org'
const SHORT = { connect: 150, reply: 150, whole: 300 }
const MARGIN = 10_000

const sockets = new Set<Socket>()
let play: (socket: Socket) => void = () => {}
const server = createServer((socket) => {
  sockets.add(socket.on('error', () => {}).once('close', () => sockets.delete(socket)))
  play(socket)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

const { port } = server.address() as AddressInfo
const smtpUrl = `smtp://rook:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`
const hasty = smtpMailer({ smtpUrl, from: 'a@b.example', timeouts: SHORT })
const patient = smtpMailer({ smtpUrl, from: 'a@b.example', timeouts: { connect: 18_000, reply: 18_000, whole: 18_000 } })
const SECRETS = [
  PASSWORD,
  encodeURIComponent(PASSWORD),
  Buffer.from(PASSWORD).toString('base64'),
  Buffer.from(`\0rook\0${PASSWORD}`).toString('base64'),
  TO,
  'rook',
]

/** Sends a mail to a server of that kind. Returns the error, or undefined if it was accepted. */
const sendTo = async (kind: (socket: Socket) => void, mailer = hasty): Promise<string | undefined> => {
  play = kind
  const begun = performance.now()
  const [failed, fault] = await Promise.all([
    mailer.send({ to: TO, subject: 'Tea', text: 'Tea?' }).then(
      () => undefined,
      (error: Error) => `${error.message} ${error.cause ?? ''}`,
    ),
    mailer.fault(),
  ])
  expect(performance.now() - begun).toBeLessThan(SHORT.whole + MARGIN)
  for (const text of [failed, fault]) {
    if (text === undefined) continue
    expect(text.length).toBeLessThanOrEqual(301)
    expect(text).not.toMatch(/\p{Cc}/u)
    for (const secret of SECRETS) expect(text).not.toContain(secret)
  }
  return failed
}

/** Sends the same text endlessly, as fast as it is read. */
const endless = (before: string, said: string) => (socket: Socket) => {
  const bytes = Buffer.from(said.repeat(Math.ceil(65_536 / said.length)))
  const more = () => {
    while (socket.writable && socket.write(bytes));
  }
  socket.on('drain', more).write(before)
  more()
}

/** Answers each line with the next of these replies, and the last one for ever. */
const answering =
  (...replies: string[]) =>
  (socket: Socket) => {
    let at = 0
    const reply = () => socket.write(replies[Math.min(at++, replies.length - 1)] as string, 'latin1')
    reply()
    socket.on('data', reply)
  }

const slow = (said: string, milliseconds: number) => (socket: Socket) => {
  let at = 0
  const timer = setInterval(() => socket.write(said[at++ % said.length] as string), milliseconds)
  socket.once('close', () => clearInterval(timer))
}

const HELLO = '220 here\r\n'
test.each<[string, (socket: Socket) => void]>([
  ['says nothing', () => {}],
  ['closes at once', (socket) => socket.end()],
  ['resets', (socket) => socket.resetAndDestroy()],
  ['says half a greeting', (socket) => socket.write('22')],
  ['says half a greeting and closes', (socket) => socket.end('220 he')],
  ['says a byte at a time for ever', slow('220-here\r\n', 20)],
  ['says a letter at a time without a line', slow('a', 20)],
  ['never ends its greeting', endless('', '220-here\r\n')],
  ['never ends a line', endless('220 ', 'a')],
  ['says empty lines without end', endless(HELLO, '\n')],
  ['says NULs without end', endless(HELLO, '\0')],
  ['says goodbye without end', endless(HELLO, '221 bye\r\n')],
  ['never ends what it can', endless(`${HELLO}250-here\r\n`, '250-SIZE 1\r\n')],
  ['is another protocol', answering('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['is busy', answering('421 later\r\n')],
  ['answers in numbers that are none', answering(HELLO, '999 what\r\n')],
  ['answers a negative code', answering(HELLO, '-25 ok\r\n')],
  ['answers with a NUL in the code', answering(HELLO, '2\x0050 ok\r\n')],
  ['begins TLS and does not speak it', answering(HELLO, '250-here\r\n250 STARTTLS\r\n', '220 go on\r\nnot tls\r\n')],
  ['refuses the sign-in', answering(HELLO, '250-here\r\n250 AUTH PLAIN LOGIN\r\n', '535 no\r\n')],
  ['asks for more of a sign-in for ever', answering(HELLO, '250-here\r\n250 AUTH LOGIN\r\n', '334 VXNlcm5hbWU6\r\n')],
  [
    'repeats what it was sent when it refuses',
    (socket) => {
      socket.write('220 here\r\n')
      socket.on('data', (said) => {
        if (said.toString().startsWith('EHLO')) socket.write('250-here\r\n250 AUTH PLAIN\r\n')
        else socket.write(`535 ${said.toString().trim()}\r\n`)
      })
    },
  ],
  [
    'repeats the sign-in and the address later',
    (socket) => {
      let heard = ''
      socket.write('220 here\r\n')
      socket.on('data', (said) => {
        heard += said
        if (said.toString().startsWith('EHLO')) socket.write('250-here\r\n250 AUTH PLAIN\r\n')
        else if (said.toString().startsWith('AUTH')) socket.write('235 in\r\n')
        else socket.write(`550 ${heard.replaceAll('\r\n', ' ')} ${PASSWORD}\r\n`)
      })
    },
  ],
  ['takes all but the letter', answering(HELLO, '250 ok\r\n', '250 ok\r\n', '250 ok\r\n', '354 go on\r\n', '552 too large\r\n')],
  [
    'takes all and never answers the letter',
    (socket) => answering(HELLO, '250 ok\r\n', '250 ok\r\n', '250 ok\r\n', '354 go on\r\n', '')(socket),
  ],
])('a server that %s fails in time, and tells no secret', async (_what, kind) => {
  expect(await sendTo(kind)).toBeTypeOf('string')
  await expect.poll(() => sockets.size).toBe(0)
})

/** Text of any bytes. */
const anyText = (maxLength: number) => fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes).toString('latin1'))

test('a server that says anything at all takes the letter or does not, in time', async () => {
  const reply = fc.oneof(
    fc.constantFrom(
      '220 here\r\n',
      '250 ok\r\n',
      '354 go on\r\n',
      '250-here\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN CRAM-MD5\r\n',
      '334 \r\n',
      '235 in\r\n',
    ),
    fc.tuple(fc.nat({ max: 999 }), fc.constantFrom(' ', '-', ''), anyText(30)).map(([code, dash, text]) => `${code}${dash}${text}\r\n`),
    anyText(60),
  )
  const kinds = fc.tuple(fc.array(reply, { minLength: 1, maxLength: 8 }), fc.boolean())
  const property = fc.asyncProperty(kinds, async ([replies, ends]) => {
    // A server that waits costs a whole timeout; most of these end the connection, so that a run covers many replies.
    await sendTo((socket) => answering(...replies, '421 enough\r\n')(ends ? socket.once('data', () => socket.end()) : socket))
  })
  await fc.assert(property, { seed: 20_260_511, numRuns: 15 })
  await expect.poll(() => sockets.size).toBe(0)
})

test('an endless server costs no memory to speak of', async () => {
  const before = process.memoryUsage().rss
  for (let round = 0; round < 3; round++) await sendTo(endless(HELLO, '250-here\r\n\n'))
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
})

test('a letter is sent once to a server that goes silent when it has taken it', async () => {
  const kept = await startMailServer()
  const silentAfterwards = (socket: Socket) => {
    const behind = connect(Number(new URL(kept.url.reveal()).port), '127.0.0.1')
    behind.on('error', () => {}).on('data', (said) => socket.write(said))
    socket.once('close', () => behind.destroy())
    socket.on('data', (said) => said.toString().startsWith('QUIT') || behind.write(said))
  }
  expect(await sendTo(silentAfterwards, patient)).toBeUndefined()
  expect(kept.letters).toHaveLength(1)
  await kept.close()
})
