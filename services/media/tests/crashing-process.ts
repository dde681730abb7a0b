/** A picture process whose decoder crashes. */
process.on('message', () => process.kill(process.pid, 'SIGSEGV'))
