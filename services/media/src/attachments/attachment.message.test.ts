import { expect, test } from 'vitest'
import type { AttachmentRow } from '../database/tables/attachment.ts'
import { attachmentMessage } from './attachment.message.ts'

const row = { id: '1', type: 'image', originalKey: 'a.gif', previewKey: 'b.png', description: '' } as AttachmentRow
const addresses = { baseUrl: 'https://birds.example', filesUrl: 'https://files.birds.example' }

test.each([
  ['of a file and its preview', row, 'https://files.birds.example/media/a.gif', 'https://files.birds.example/media/b.png'],
  [
    'of one that is its own preview',
    { ...row, previewKey: null },
    'https://files.birds.example/media/a.gif',
    'https://files.birds.example/media/a.gif',
  ],
  [
    'of none, which the server itself has',
    { ...row, originalKey: null, previewKey: null },
    'https://birds.example/media/missing.png',
    'https://birds.example/media/missing.png',
  ],
])('the address %s', (_, given, url, previewUrl) => {
  expect(attachmentMessage({ ...given, focusX: null, width: null, previewWidth: null } as AttachmentRow, addresses)).toMatchObject({
    url,
    previewUrl,
  })
})
