/**
 * Releases memory that only the start of a process needed, a third of it: V8 keeps it until the heap reaches its limit, which an idle
 * process never does. Takes some 70 ms, once. Uses the inspector's protocol (HeapProfiler.collectGarbage), as Node has no other documented
 * way; where Node was built without it, nothing is released.
 */
export const releaseStartMemory = async (): Promise<void> => {
  const inspector = await import('node:inspector/promises').catch(() => undefined)
  if (!inspector) return
  const session = new inspector.Session()
  session.connect()
  try {
    await session.post('HeapProfiler.collectGarbage')
  } finally {
    session.disconnect()
  }
}
