/** A part of a text; `start` and `end` are UTF-16 offsets. A hashtag's name and a mention's parts are as typed. */
export type Token = { start: number; end: number } & (
  | { kind: 'text' }
  | { kind: 'url'; url: string }
  | { kind: 'mention'; username: string; domain?: string }
  | { kind: 'hashtag'; name: string }
)

/** The result of a scanner at a position: a token, or none. Scanning continues at `end`; everything before it is text. */
export type Scanned = { token: Token } | { end: number }
