import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Secret } from '@rookery/runtime'

/** A received mail. */
export type Letter = { from: string; to: string[]; text: string }

const serve = (socket: Socket, take: (letter: Letter) => Promise<boolean>) => {
  let letter: Letter = { from: '', to: [], text: '' }
  let isText = false
  let rest = ''
  const reply = (line: string) => socket.write(`${line}\r\n`)
  const onLine = (line: string) => {
    if (isText) {
      if (line !== '.') {
        letter.text += `${line.replace(/^\.\./, '.')}\n`
        return
      }
      isText = false
      return void take(letter).then((isTaken) => reply(isTaken ? '250 taken' : '451 not now'))
    }
    const command = line.slice(0, 4).toUpperCase()
    const address = /<([^>]*)>/.exec(line)?.[1] ?? ''
    if (command === 'MAIL') letter = { from: address, to: [], text: '' }
    if (command === 'RCPT') letter.to.push(address)
    if (command === 'DATA') {
      isText = true
      return reply('354 go on')
    }
    reply(command === 'QUIT' ? '221 bye' : '250 ok')
  }
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
  reply('220 ready')
}

type MailState = { isRefusing: boolean /** Answers to letters wait for it. */; until?: Promise<void> | undefined }

/** A mail server that stores mails, and refuses them while `isRefusing`. */
export const startMailServer = async () => {
  const letters: Letter[] = []
  const state: MailState = { isRefusing: false }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    serve(socket, async (letter) => {
      const isTaken = !state.isRefusing
      if (isTaken) letters.push(letter)
      await state.until
      return isTaken
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    letters,
    state,
    url: new Secret(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}?ignoreTLS=true`),
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The decoded text of a mail. */
export const letterText = ({ text }: Letter): string => {
  const [head = '', ...body] = text.split('\n\n')
  const raw = body.join('\n\n')
  if (/quoted-printable/i.test(head)) {
    const bytes = raw.replace(/=\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    return Buffer.from(bytes, 'latin1').toString()
  }
  return /base64/i.test(head) ? Buffer.from(raw, 'base64').toString() : raw
}
