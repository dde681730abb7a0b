/** A stretch of text; `start` and `end` are UTF-16 offsets. A hashtag's name and a mention's parts are as typed. */
export type Token = { start: number; end: number } & (
  | { kind: 'text' }
  | { kind: 'url'; url: string }
  | { kind: 'mention'; username: string; domain?: string }
  | { kind: 'hashtag'; name: string }
)

/** What a scanner finds at a place: a token, or nothing. `end` is where reading goes on; what lies before it is text then. */
export type Scanned = { token: Token } | { end: number }
