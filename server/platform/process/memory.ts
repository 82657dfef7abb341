import { readdir, readFile } from 'node:fs/promises'

/**
 * What each of some processes and everything it started uses of the machine's memory, in bytes: pages several share count once
 * over all of them, where the system tells that (Linux: PSS, otherwise the resident pages). Null where it tells nothing.
 */
export async function memoryOf(pids: readonly number[]): Promise<Map<number, number | null>> {
  const children = await childrenByParent()
  return new Map(
    await Promise.all(
      pids.map(async (pid) => {
        const family = familyOf(pid, children)
        const sizes = (await Promise.all(family.map(sizeOf))).filter((size) => size !== null)
        return [pid, sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size, 0)] as const
      }),
    ),
  )
}

async function childrenByParent(): Promise<Map<number, number[]>> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = new Map<number, number[]>()
  await Promise.all(
    pids.map(async (pid) => {
      // the name in parentheses may hold anything; the parent is the second word after it
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      if (Number.isInteger(parent)) found.set(parent, [...(found.get(parent) ?? []), pid])
    }),
  )
  return found
}

function familyOf(pid: number, children: Map<number, number[]>): number[] {
  return [pid, ...(children.get(pid) ?? []).flatMap((child) => familyOf(child, children))]
}

async function sizeOf(pid: number): Promise<number | null> {
  const kilobytes = (text: string, name: string) => {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]
    return found === undefined ? null : Number(found) * 1024
  }
  const shared = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return kilobytes(shared, 'Pss') ?? kilobytes(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''), 'VmRSS')
}
