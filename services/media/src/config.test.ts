import { describe, expect, it } from 'vitest'
import { readMediaConfig } from './config.ts'

const BASE = { BASE_URL: 'https://birds.example', DATA_DIR: '/data' }
const BUCKET = {
  MEDIA_BUCKET_ENDPOINT: 'https://s3.example',
  MEDIA_BUCKET: 'birds',
  MEDIA_BUCKET_KEY_ID: 'AKIA',
  MEDIA_BUCKET_KEY: 'hidden',
}
const read = (environment: Record<string, string>) => readMediaConfig({ ...BASE, ...environment })

describe('where files are kept', () => {
  it('is the data folder unless a bucket is meant', () => {
    expect(read({})).toMatchObject({ filesUrl: 'https://birds.example', keeping: { kind: 'disk', folder: '/data/media/files' } })
    const { keeping } = read({ ...BUCKET, MEDIA_STORAGE: 'bucket', MEDIA_BUCKET_REGION: 'eu-nest-1' })
    expect(keeping).toMatchObject({ kind: 'bucket', bucket: { endpoint: 'https://s3.example', bucket: 'birds', region: 'eu-nest-1' } })
    expect(read({ ...BUCKET, MEDIA_STORAGE: 'moving' }).keeping).toMatchObject({ kind: 'moving', folder: '/data/media/files' })
  })

  it('is never said by half, nor twice', () => {
    for (const name of Object.keys(BUCKET)) {
      const { [name as keyof typeof BUCKET]: _, ...rest } = BUCKET
      expect(() => read({ ...rest, MEDIA_STORAGE: 'bucket' })).toThrow(`${name} is missing`)
    }
    expect(() => read(BUCKET)).toThrow('MEDIA_STORAGE is disk although a bucket is named')
    expect(() => read({ ...BUCKET, MEDIA_STORAGE: 'bucket', MEDIA_BUCKET_CA: '/missing.pem' })).toThrow('/missing.pem does not exist')
    expect(() => read({ ...BUCKET, MEDIA_STORAGE: 'bucket', MEDIA_BUCKET_ENDPOINT: 'https://s3.example/birds' })).toThrow('no path')
  })

  it('keeps the key to itself', () => {
    expect(JSON.stringify(read({ ...BUCKET, MEDIA_STORAGE: 'bucket' }))).not.toContain('hidden')
  })

  it('may be reached by another address, for files alone', () => {
    expect(read({ MEDIA_URL: 'https://files.birds.example' })).toMatchObject({
      baseUrl: 'https://birds.example',
      filesUrl: 'https://files.birds.example',
    })
  })
})
