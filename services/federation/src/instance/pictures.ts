import { createHash } from 'node:crypto'
import type { PictureFile, PictureList, SetPictureRequest } from '@rookery/contracts/federation'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, notFound, orNotFound } from '@rookery/failures'
import type { FederationTables } from '../database/schema.ts'
import { staffActed } from '../staff-acted.ts'
import { InstanceReader, InstanceWriter } from './instance.store.ts'
import { isPictureKind, pictureFaults, pictureIn } from './picture.rules.ts'

type Deps = { database: Database<FederationTables>; outbox: Outbox }

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url').slice(0, 16)

/** A picture that staff uploaded. @throws Failure not_found */
export const readPicture =
  ({ database }: Pick<Deps, 'database'>) =>
  async (kind: string): Promise<PictureFile> => {
    if (!isPictureKind(kind)) throw notFound(`there is no picture ${kind}`)
    return orNotFound(await new InstanceReader(database.db).picture(kind), `no one chose a picture ${kind}`)
  }

/** Replaces a picture, or removes it if the content is empty. @throws Failure invalid, not_found for an unknown kind */
export const setPicture =
  ({ database, outbox }: Deps) =>
  async ({ kind, content, staffId }: SetPictureRequest): Promise<PictureList> => {
    if (!isPictureKind(kind)) throw notFound(`there is no picture ${kind}`)
    const bytes = Buffer.from(content)
    const faults = bytes.length > 0 ? pictureFaults(kind, bytes) : []
    if (faults.length > 0) throw invalid(...faults)
    const found = pictureIn(bytes)
    await transact(database.db, async (tx) => {
      const writer = new InstanceWriter(tx)
      await (found ? writer.putPicture({ kind, ...found, digest: digestOf(bytes), content: bytes }) : writer.removePicture(kind))
      await outbox.append(tx, [staffActed({ staffId, action: 'change_settings', target: kind })])
    })
    return { pictures: await new InstanceReader(database.db).pictures() }
  }
