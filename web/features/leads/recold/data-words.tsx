import { useTranslation } from '#web/i18n/use-translation.ts'
import type { RecoldData } from '#contract/leads/recold-plan.ts'
import type { Pair } from '#web/api/constant-pairs.ts'
import { useConstants } from '#web/api/constants.ts'
import { dataWords } from '#web/features/leads/recold/recold-words.ts'
import { wordsOf } from '#web/kit/status/status-look.ts'

/** The data setting in words, as the network calls genders, systems and devices. */
export function DataWords({ of }: { of: RecoldData }) {
  const { t } = useTranslation('recold')
  const { lead_genders: genders, lead_os: os, lead_device: devices } = useConstants()
  const named = (pairs: readonly Pair[]) => (value: string) => pairs.find((pair) => pair.value === value)?.label ?? value
  return dataWords(of, wordsOf(t), { genders: named(genders), os: named(os), devices: named(devices) })
}
