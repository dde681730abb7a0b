import type { ReadRemoteEmojiRequest } from '@rookery/contracts/media'
import { notFound } from '@rookery/failures'
import type { openNamedRemote } from './open-remote.ts'
import { digestOf, isRemoteFile } from './remote-file.rules.ts'

type Deps = { addressKey: () => Promise<Buffer>; open: ReturnType<typeof openNamedRemote> }

/** The picture of a remote emoji, as it is shown here. @throws Failure not_found, unavailable */
export const readEmoji =
  ({ addressKey, open }: Deps) =>
  async ({ domain, url }: ReadRemoteEmojiRequest): Promise<Buffer> => {
    const file = { purpose: 'emoji', domain, url } as const
    const opened = isRemoteFile(file) ? await open({ ...file, digest: digestOf(await addressKey(), file), isStill: false }) : undefined
    if (!opened) throw notFound(`no emoji at ${url}`)
    return Buffer.concat(await Array.fromAsync(opened.file.read()))
  }
