/* What people leave in a value that was to be replaced: of what comes in it is refused, in what goes out it is pointed out. */

const UNFILLED = [
  /\{[^{}]*\}/, // {x} {{x}} ${x} #{x} {$x}
  /##.*##|^#[\w ]+#$/,
  /^\[+[^[\]]*\]+$/,
  /^%+[a-z][\w.-]*%+$/i,
  /^<[^<>]+>$/,
  /^\([a-z][\w-]*\)$/i,
  /^__\w+__$/,
  /^!!!.+!!!$/,
  /^@@.+@@$/,
  /^xx[a-z]\d?xx$/i,
]
const NEVER_VALUES = new Set(
  'replace replace_me optional your_id click_id clickid subid transaction_id undefined null nan (null) macro value placeholder'.split(' '),
)

/** Whether a value is a macro nobody has replaced, in any of the usual brackets. */
export function isUnfilledMacro(value: string): boolean {
  return UNFILLED.some((macro) => macro.test(value))
}

/** Whether a value is a word of a manual, which stands for a value and is none. */
export function isPlaceholderWord(value: string): boolean {
  const plain = value.toLowerCase()
  return NEVER_VALUES.has(plain) || plain.endsWith('_placeholder')
}
