const BY_EXTENSION = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['mp4', 'video/mp4'],
  ['webm', 'video/webm'],
  ['mp3', 'audio/mpeg'],
  ['ogg', 'audio/ogg'],
  ['m4a', 'audio/mp4'],
  ['wav', 'audio/wav'],
])

/** The media type of a local file, by its extension. */
export const mediaTypeOf = (url: string, otherwise: string): string => {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(URL.parse(url)?.pathname ?? '')?.[1]
  return BY_EXTENSION.get(extension?.toLowerCase() ?? '') ?? otherwise
}
