import { ALTERCPA_PRESETS } from './altercpa.ts'
import { BROKER_PRESETS } from './broker.ts'
import { COD_PULLED_PRESETS } from './cod-pulled.ts'
import { COD_TOLD_PRESETS } from './cod-told.ts'
import { LEAD_GEN_PRESETS } from './lead-gen.ts'
import type { IntegrationPreset } from './make.ts'
import { WHITE_LABEL_PRESETS } from './white-label.ts'

/** Integrations written from public documents and clients; none was seen against the real system. */
export const INTEGRATION_PRESETS: readonly IntegrationPreset[] = [
  ...BROKER_PRESETS,
  ...WHITE_LABEL_PRESETS,
  ...ALTERCPA_PRESETS,
  ...COD_PULLED_PRESETS,
  ...COD_TOLD_PRESETS,
  ...LEAD_GEN_PRESETS,
]
