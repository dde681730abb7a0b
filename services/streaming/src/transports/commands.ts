import type { ChannelRequest } from '../channels/names.ts'

/** A command of a client on a WebSocket. */
export type Command = {
  readonly type: 'subscribe' | 'unsubscribe'
  readonly request: ChannelRequest
  /** The id of the last event of the stream that the client has; a value that is not a string is unknown. */
  readonly since: string | undefined
}

/** A parameter as a string; of a list the first item. */
const firstText = (value: unknown): string | undefined => {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' || typeof first === 'number' ? String(first) : undefined
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a client's frame; undefined if it is not a command: such frames are ignored (beyond-the-spec 1.7). */
export const commandOf = (text: string): Command | undefined => {
  const said = parsed(text)
  if (typeof said !== 'object' || said === null) return undefined
  const { type, stream, tag, list, since } = said as Record<string, unknown>
  if (type !== 'subscribe' && type !== 'unsubscribe') return undefined
  return {
    type,
    request: { stream: firstText(stream), tag: firstText(tag), list: firstText(list) },
    since: since == null ? undefined : (firstText(since) ?? ''),
  }
}
