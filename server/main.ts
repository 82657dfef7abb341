import { endOnMistake } from './processes/say.ts'
import { runRoles, ROLES } from './processes/role.ts'

// `node server/main.ts <command>` is what npm's scripts run; `PROCESSES=api,worker node server/main.ts` plays roles
// in this one process, which is how the supervisor starts its children and how several machines share the work.
const command = process.argv[2]

try {
  if (command === undefined && process.env['PROCESSES']) await runRoles(process.env)
  else if (command === 'start' || command === 'serve' || command === 'dev')
    await (await import('./processes/supervise.ts')).supervise(process.env, command)
  else if (command === 'backup') await (await import('./processes/backup.ts')).backup(process.env, process.argv[3])
  else if (command === 'restore') await (await import('./processes/restore.ts')).restore(process.env, process.argv[3])
  else
    throw new Error(
      `Say what to do: start, serve, dev, backup <file> or restore <file>; or name roles in PROCESSES (${Object.keys(ROLES).join(', ')}).`,
    )
} catch (error) {
  endOnMistake(error)
}
