/**
 * What the embedded server must know about a statement before it hands it to the engine. It never rewrites SQL beyond
 * the tail of an INSERT; everything it does not recognise goes to the engine as it came.
 */
export type Statement = {
  /** Which pool runs it: reports, inserts, or everything else (DDL, KILL, OPTIMIZE, INSERT … SELECT). */
  pool: 'read' | 'insert' | 'work'
  /** The format named at its end, if any. */
  format: string | null
  /** It changes the state of its connection (SET, USE, temporary tables): the connection is thrown away afterwards. */
  leavesState: boolean
  /**
   * Its result may be sent while it is computed. Only without a second SELECT: the engine plans a streamed query on
   * the calling thread, and a scalar subquery would be computed there, stopping the whole process.
   */
  streams: boolean
}

const READS = /^(select|with|show|desc|describe|explain|exists|values|\()/i
const STREAMED = new Set([
  'JSONEachRow',
  'JSONCompactEachRow',
  'JSONStringsEachRow',
  'JSONCompactStringsEachRow',
  'TabSeparated',
  'TSV',
  'TabSeparatedRaw',
  'CSV',
  'Native',
  'RowBinary',
])
const TEMPORARY = /^create\s+(or\s+replace\s+)?temporary\b/i

/** Looks at the first words and the last of a statement. */
export function describeStatement(sql: string): Statement {
  const text = withoutLeadingComments(sql)
  const format = trailingFormat(text)
  const pool = READS.test(text) ? 'read' : /^insert\b/i.test(text) && !/\bselect\b/i.test(text.slice(0, 2000)) ? 'insert' : 'work'
  return {
    pool,
    format,
    leavesState: /^(set|use)\b/i.test(text) || TEMPORARY.test(text),
    streams: /^(select|with)\b/i.test(text) && format !== null && STREAMED.has(format) && (text.match(/\bselect\b/gi)?.length ?? 0) === 1,
  }
}

/**
 * An INSERT whose rows stand in its own text, taken apart; null for any other statement and for VALUES. The engine
 * would take a blank line for the end of the rows and run what follows as a statement.
 */
export function rowsInStatement(sql: string): { sql: string; rows: string } | null {
  const match = /^(insert\s+into\s[^;']*?\sformat\s+(?!values\b)\w+)[ \t]*\r?\n([\s\S]+)$/i.exec(withoutLeadingComments(sql))
  return match ? { sql: match[1]!, rows: match[2]! } : null
}

/** The same INSERT reading its rows from a file instead of from what follows; null when it names no format (VALUES). */
export function insertFromFile(sql: string, path: string): string | null {
  const [, head, settings = '', format] =
    /^([\s\S]*?)(\s+settings\s[\s\S]*?)?\s+format\s+(?!values\b)(\w+)\s*;?\s*$/i.exec(withoutLeadingComments(sql)) ?? []
  return head === undefined || format === undefined ? null : `${head} FROM INFILE ${quote(path)}${settings} FORMAT ${format}`
}

/** A ClickHouse string literal. */
export function quote(value: string): string {
  return `'${value.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`
}

/** A ClickHouse identifier that may hold any character. */
export function quoteName(name: string): string {
  return `\`${name.replace(/\\/g, '\\\\').replace(/`/g, '\\`')}\``
}

function trailingFormat(sql: string): string | null {
  return /\bformat\s+(\w+)\s*(?:settings\s+[^'"]*)?;?\s*$/i.exec(sql)?.[1] ?? null
}

function withoutLeadingComments(sql: string): string {
  return sql.replace(/^(\s+|--[^\n]*\n|\/\*[\s\S]*?\*\/)+/, '')
}
