#!/usr/bin/env node
import { flushCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * compile FILE…: loads modules that start nothing by themselves, and leaves Node's compile cache for them in the folder that
 * NODE_COMPILE_CACHE names. An image includes that folder: its processes then start in half of the processor time (Node's documentation,
 * module compile cache). The cache belongs to the user, the Node and the paths it was made with; for others it is ignored.
 */
for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)).href)
flushCompileCache()
process.exit(0)
