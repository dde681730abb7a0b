import { stat } from 'node:fs/promises'
import type { AttachmentRow } from '../database/tables/attachment.ts'
import type { MadeImage } from '../processing/index.ts'
import { makeKey } from '../storage/index.ts'

/** A local file to store under a key. */
type KeptFile = { readonly key: string; readonly path: string }

/** The result of an upload: the columns of its record, and the files to store. */
export type Received = {
  readonly columns: Pick<
    AttachmentRow,
    'type' | 'originalKey' | 'sourceKey' | 'previewKey' | 'width' | 'height' | 'previewWidth' | 'previewHeight' | 'blurhash' | 'motion'
  >
  readonly files: readonly KeptFile[]
}

const NOTHING: Received['columns'] = {
  type: 'unknown',
  originalKey: null,
  sourceKey: null,
  previewKey: null,
  width: null,
  height: null,
  previewWidth: null,
  previewHeight: null,
  blurhash: null,
  motion: null,
}

const sizeOf = async (file: KeptFile | undefined): Promise<number | null> => (file ? (await stat(file.path)).size : null)

/** The bytes of the original and the preview; null for a file that does not exist yet. */
export const bytesOf = async ({ columns, files }: Received): Promise<Pick<AttachmentRow, 'originalBytes' | 'previewBytes'>> => {
  const [originalBytes, previewBytes] = await Promise.all(
    [columns.originalKey, columns.previewKey].map((key) => sizeOf(files.find((file) => file.key === key))),
  )
  return { originalBytes: originalBytes ?? null, previewBytes: previewBytes ?? null }
}

/** The result for an unreadable file that is kept. */
export const RECEIVED_NOTHING: Received = { columns: NOTHING, files: [] }

/** The result for a picture. A preview sent by the owner replaces the generated one. */
export const receivedImage = ({ original, preview, blurhash }: MadeImage, { hasPreview }: { hasPreview: boolean }): Received => {
  const originalKey = makeKey(original.extension)
  const small = hasPreview ? undefined : preview
  const previewKey = small ? makeKey(small.extension) : null
  return {
    columns: {
      ...NOTHING,
      type: 'image',
      originalKey,
      previewKey,
      width: original.width,
      height: original.height,
      previewWidth: small?.width ?? null,
      previewHeight: small?.height ?? null,
      blurhash,
    },
    files: [{ key: originalKey, path: original.path }, ...(small && previewKey ? [{ key: previewKey, path: small.path }] : [])],
  }
}

type Moving = {
  readonly type: AttachmentRow['type']
  readonly extension: Parameters<typeof makeKey>[0]
  readonly size: { width: number; height: number } | undefined
  readonly metadata: AttachmentRow['motion']
  readonly preview: MadeImage['original'] | undefined
  readonly blurhash: string | undefined
}

/** The result for video or audio: the file at `source` waits for its processing, with a preview to show before. */
export const receivedMotion = ({ type, extension, size, metadata, preview, blurhash }: Moving, source: string): Received => {
  const sourceKey = makeKey('upload')
  const previewKey = preview ? makeKey(preview.extension) : null
  return {
    columns: {
      type,
      originalKey: makeKey(extension),
      sourceKey,
      previewKey,
      width: size?.width ?? null,
      height: size?.height ?? null,
      previewWidth: preview?.width ?? null,
      previewHeight: preview?.height ?? null,
      blurhash: blurhash ?? null,
      motion: metadata,
    },
    files: [{ key: sourceKey, path: source }, ...(preview && previewKey ? [{ key: previewKey, path: preview.path }] : [])],
  }
}
