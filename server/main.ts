import { endOnMistake, printLine } from './processes/supervisor/console-output.ts'
import { runRoles } from './processes/roles/role.ts'

// `node server/main.ts <command>` is what npm's scripts run; `PROCESSES=api,worker node server/main.ts` plays roles
// in this one process, which is how the supervisor starts its children and how several machines share the work.
const { env } = process
const COMMANDS: Readonly<Record<string, (argument: string | undefined) => Promise<void>>> = {
  start: async () => (await import('./processes/supervisor/supervise.ts')).supervise(env, 'start'),
  serve: async () => (await import('./processes/supervisor/supervise.ts')).supervise(env, 'serve'),
  dev: async () => (await import('./processes/supervisor/supervise.ts')).supervise(env, 'dev'),
  build: async () => (await import('./processes/commands/web-build.ts')).buildWebIfOld(printLine),
  backup: async (file) => (await import('./processes/commands/backup.ts')).backup(env, file),
  restore: async (file) => (await import('./processes/commands/restore.ts')).restore(env, file),
  'try-restore': async (file) => (await import('./processes/commands/restore.ts')).restore(env, file, { trial: true }),
  'rebuild-facts': async () => (await import('./processes/commands/rebuild-facts.ts')).rebuildAllFacts(env),
}

try {
  const [, , name = '', argument] = process.argv
  const command = COMMANDS[name]
  if (command !== undefined) {
    const done = command(argument)
    // whoever started it may be listened for, but must not keep a command alive that is done
    process.channel?.unref()
    await done
  } else if (name === '' && env['PROCESSES']) await runRoles(env)
  else throw new Error(`Say what to do: ${Object.keys(COMMANDS).join(', ')}; or name roles in PROCESSES.`)
} catch (error) {
  endOnMistake(error)
}
