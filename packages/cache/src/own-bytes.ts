/**
 * The same bytes with an ArrayBuffer of their own; copied unless they have one already. Node allocates small Buffers as slices of a shared
 * pool, and one slice keeps its whole 64 KB alive.
 */
export const ownBytes = (bytes: Uint8Array): Buffer => {
  const { buffer, byteOffset, byteLength } = bytes
  if (buffer.byteLength === byteLength) return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
  const own = Buffer.allocUnsafeSlow(byteLength)
  own.set(bytes)
  return own
}
