import type { ColdRuleNames, ColdRuleSettings } from '#contract/leads/cold-rule.ts'
import { integer } from '#web/format.ts'
import type { Words } from '#web/kit/status/status-look.ts'
import { actionWords, audienceWords, triggerWords } from './rule-words.ts'

type Version = { settings: ColdRuleSettings; template_changed: boolean }
type DiffLine = { field: string; before: string[]; after: string[] }

/** What a version made of the one before, field by field in words; of the first one everything it was set to. */
export function versionDiff(version: Version, before: Version | undefined, names: ColdRuleNames, t: Words): DiffLine[] {
  const said = linesOf(version.settings, names, t)
  const was = before === undefined ? [] : linesOf(before.settings, names, t)
  const lines = said.flatMap(({ field, text }, at) => {
    const earlier = was[at]?.text
    return earlier === text ? [] : [{ field, before: earlier === undefined ? [] : [earlier], after: [text] }]
  })
  return version.template_changed && lines.every(({ field }) => field !== t('step.then'))
    ? [...lines, { field: t('step.then'), before: [], after: [t('version.copied')] }]
    : lines
}

function linesOf(settings: ColdRuleSettings, names: ColdRuleNames, t: Words): { field: string; text: string }[] {
  return [
    { field: t('step.when'), text: triggerWords(settings.trigger, t) },
    { field: t('within_days'), text: t('withinWords', { count: settings.within_days }) },
    { field: t('step.who'), text: audienceWords(settings.audience, names, t) },
    { field: t('step.then'), text: actionWords(settings, names, t) },
    { field: t('per_run'), text: integer(settings.per_run) },
    { field: t('per_day'), text: integer(settings.per_day) },
    { field: t('priority'), text: integer(settings.priority) },
    { field: t('stops'), text: t(settings.stops ? 'yes' : 'no') },
  ]
}
