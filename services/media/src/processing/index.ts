export type { Purpose } from './image.rules.ts'
export { type MadeFile, type MadeImage, makeImage, UnreadableError } from './image.ts'
export { type WorkQueue, workQueue } from './work-queue.ts'
