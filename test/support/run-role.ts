import { readConfig } from '#server/platform/config.ts'

// One role as a process of its own, as the supervisor starts it: `fork('run-role.ts', ['events'])`. Ends on SIGTERM.
const role = process.argv[2]
const roles: Record<
  string,
  () => Promise<{ run(config: ReturnType<typeof readConfig>): Promise<{ stop(): Promise<void>; url?: string }> }>
> = {
  events: () => import('#server/processes/events.ts'),
  ingester: () => import('#server/processes/ingester.ts'),
}
const { run } = await roles[role ?? '']!()
const running = await run(readConfig(process.env, 'test'))
process.send?.({ ready: true, url: running.url })
process.on('SIGTERM', () => void running.stop().then(() => process.exit(0)))
// A test that dies must not leave its children behind.
process.on('disconnect', () => process.exit(1))
