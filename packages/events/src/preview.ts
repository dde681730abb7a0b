const LENGTH = 60

const escaped = (byte: number) => `\\x${byte.toString(16).padStart(2, '0')}`

/** The first bytes as printable ASCII, safe for terminals; other bytes, and backslashes, are \xNN. */
export const previewOf = (bytes: Uint8Array): string => {
  const shown = [...bytes.subarray(0, LENGTH)].map((byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x5c ? escaped(byte) : String.fromCharCode(byte),
  )
  return shown.join('') + (bytes.length > LENGTH ? '…' : '')
}
